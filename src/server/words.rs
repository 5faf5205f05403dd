//! Resources, prompts and completions in MCP's words.

use crate::error::Code;
use crate::guides::Guide;
use crate::prompts;
use crate::resources::{self, Completed, Contents, Listed, Unread};
use rmcp::model::{
    CacheScope, CompleteResult, CompletionInfo, ErrorData, GetPromptResult, Prompt, PromptArgument, PromptMessage, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, Role, Skill, SkillFrontmatter, SkillResource, SkillResources,
};

pub fn resource(listed: Listed) -> Resource {
    Resource::new(listed.uri, listed.name).with_title(listed.title).with_description(listed.description).with_mime_type(listed.mime)
}

pub fn template(listed: Listed) -> ResourceTemplate {
    ResourceTemplate::new(listed.uri, listed.name).with_title(listed.title).with_description(listed.description).with_mime_type(listed.mime)
}

/// Fixed contents may be kept as long as a list, by whoever may keep one; live ones not at all.
pub fn contents(
    uri: &str,
    read: Result<Contents, Unread>,
    (life, scope): (Option<u64>, Option<CacheScope>),
) -> Result<ReadResourceResult, ErrorData> {
    let contents = read.map_err(|unread| error(uri, unread))?;
    let mut result = ReadResourceResult::new(vec![ResourceContents::text(contents.text, uri).with_mime_type(contents.mime)]);
    result.ttl_ms = if contents.fixed { life } else { life.map(|_| 0) };
    result.cache_scope = if contents.fixed { scope } else { scope.map(|_| CacheScope::Private) };
    Ok(result)
}

fn error(uri: &str, unread: Unread) -> ErrorData {
    let structured = match unread {
        Unread::NotFound(message) => return ErrorData::resource_not_found(message, Some(serde_json::json!({ "uri": uri }))),
        Unread::Failed(failure) => failure.structured(),
        Unread::Refused(structured) => structured,
    };
    let message = structured["error"]["message"].as_str().unwrap_or("The resource cannot be read.").to_owned();
    // What is the caller's to mend is no mistake of ours.
    if REFUSED.iter().any(|code| structured["error"]["code"] == code.name()) {
        return ErrorData::invalid_params(message, Some(structured));
    }
    ErrorData::internal_error(message, Some(structured))
}

/// Codes of refusals that are the caller's to mend.
const REFUSED: [Code; 5] = [Code::Removed, Code::InvalidArguments, Code::UnknownAction, Code::Forbidden, Code::Unauthorized];

pub fn mistake() -> ErrorData {
    ErrorData::internal_error("callslip made a mistake of its own.", None)
}

pub fn prompt(guide: &Guide) -> Prompt {
    let task = PromptArgument::new(prompts::TASK).with_description("What it is needed for").with_required(false);
    Prompt::new(&guide.name, Some(&guide.description), Some(vec![task])).with_title(&guide.title)
}

pub fn skill(skill: &resources::Skill) -> Skill {
    let file = SkillResource::from_bytes(&skill.uri, skill.text.as_bytes());
    Skill::new(&skill.uri, SkillFrontmatter::new(&skill.name, &skill.description), SkillResources::Files(vec![file]))
}

pub fn message(text: String) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
}

pub fn completed(completed: Completed) -> Result<CompleteResult, ErrorData> {
    let more = completed.total > completed.values.len();
    let total = u32::try_from(completed.total).ok();
    let info = CompletionInfo::with_pagination(completed.values, total, more).map_err(|_| mistake())?;
    Ok(CompleteResult::new(info))
}
