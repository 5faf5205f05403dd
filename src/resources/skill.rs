//! The guide `using-<name>` as an agent skill: one `SKILL.md` that a client can install.

use super::{Contents, Listed, MARKDOWN, Unread, guide};
use crate::app::App;
use crate::guides::Guide;

/// A skill of a single file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Address of its file.
    pub uri: String,
    /// Its name, that of the guide.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// The file.
    pub text: String,
}

/// Whether there is one; nothing is read for it.
pub fn has_skill(app: &App) -> bool {
    app.catalog.guides().names().contains(&name(app).as_str())
}

fn name(app: &App) -> String {
    format!("using-{}", app.api().name)
}

fn source(app: &App) -> Option<&Guide> {
    app.catalog.guides().get(&name(app))
}

/// The skill of the catalog, where its guides have one.
pub fn skill(app: &App) -> Option<Skill> {
    let found = source(app)?;
    let (name, description) = (found.name.clone(), found.description.clone());
    // A JSON string is a YAML string too, whatever is in it.
    let quoted = serde_json::Value::from(description.as_str());
    let text = format!("---\nname: {name}\ndescription: {quoted}\n---\n\n{}\n", guide::read(app, found));
    Some(Skill { uri: format!("skill://{name}/SKILL.md"), name, description, text })
}

pub fn listed(app: &App) -> Option<Listed> {
    let skill = skill(app)?;
    Some(Listed {
        uri: skill.uri,
        name: format!("skill {}", skill.name),
        title: "Agent skill".into(),
        description: skill.description,
        mime: MARKDOWN,
    })
}

pub fn contents(app: &App, uri: &str) -> Result<Contents, Unread> {
    match skill(app).filter(|skill| skill.uri == uri) {
        Some(skill) => Ok(Contents { mime: MARKDOWN, text: skill.text, fixed: true }),
        None => {
            Err(Unread::NotFound(format!("There is no such skill; the addresses of {} begin with {}://.", app.api().title, app.api().name)))
        }
    }
}
