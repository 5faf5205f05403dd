//! The catalog at run time: compiled bytes read in place, either those in the binary or those just compiled from a folder.

use crate::guides::Guides;
use crate::names::{self, Names};
use anyhow::{Context, Result, bail};
use callslip_catalog::bytes::{Records, Traits};
use callslip_catalog::compile;
use callslip_catalog::index::Index;
use callslip_catalog::model::{Action, Api};
use callslip_catalog::project::{Surface, View, tools};
use std::path::{Path, PathBuf};

macro_rules! built {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

/// One surface's tool definitions: the bytes of a JSON array and where each tool begins.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// A JSON array.
    pub json: &'static [u8],
    starts: &'static [u8],
}

impl Listed {
    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.starts.len() / 4
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The bytes of one tool.
    pub fn tool(&self, number: usize) -> Option<&'static [u8]> {
        let start = self.start(number)?;
        let end = self.start(number + 1).map_or(self.json.len() - 1, |next| next - 1);
        self.json.get(start..end)
    }

    fn start(&self, number: usize) -> Option<usize> {
        let bytes = self.starts.get(4 * number..4 * number + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    }
}

/// A whole catalog. It lives as long as the process: a catalog compiled at run time is leaked once.
#[derive(Debug)]
pub struct Catalog {
    records: Records<'static>,
    index: Index<'static>,
    names: Names,
    lists: [Listed; 4],
    api: Api<'static>,
    guides: Guides,
    folder: Option<PathBuf>,
}

impl Catalog {
    /// The catalog compiled into the binary.
    pub fn embedded() -> Result<Self> {
        let list = |json: &'static [u8], starts: &'static [u8]| Listed { json, starts };
        Self::new(
            built!("catalog.bin"),
            built!("index.bin"),
            Names::Hash(&names::EMBEDDED),
            [
                list(built!("surfaces/dynamic.json"), built!("surfaces/dynamic.starts")),
                list(built!("surfaces/meta.json"), built!("surfaces/meta.starts")),
                list(built!("surfaces/individual.json"), built!("surfaces/individual.starts")),
                list(built!("surfaces/progressive.json"), built!("surfaces/progressive.starts")),
            ],
            Guides::embedded(),
        )
    }

    /// A catalog folder, compiled now by the code that the build uses.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let checked = compile::read_folder(folder).map_err(|problems| {
            let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
            anyhow::anyhow!("{}\nThe catalog in {} has {} problem(s).", lines.join("\n"), folder.display(), problems.len())
        })?;
        let compiled = compile::compile(&checked)?;
        let names = compiled.names.into_iter().collect();
        let lists = compiled.surfaces.map(|list| Listed { starts: list.start_bytes().leak(), json: list.json.into_bytes().leak() });
        let guides = Guides::from_folder(folder);
        let catalog = Self::new(compiled.catalog.leak(), compiled.index.leak(), Names::Sorted(names), lists, guides)?;
        Ok(Self { folder: Some(folder.to_owned()), ..catalog })
    }

    fn new(catalog: &'static [u8], index: &'static [u8], names: Names, lists: [Listed; 4], guides: Guides) -> Result<Self> {
        let records = Records::open(catalog)?;
        if records.is_empty() {
            bail!("the catalog has no action");
        }
        Ok(Self { api: records.api()?, index: Index::open(index)?, records, names, lists, guides, folder: None })
    }

    /// What is true of the whole API.
    pub fn api(&self) -> &Api<'static> {
        &self.api
    }

    /// The folder it was compiled from; none for the one in the binary.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Its guides.
    pub fn guides(&self) -> &Guides {
        &self.guides
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none; [`Catalog::embedded`] and [`Catalog::from_folder`] refuse such a catalog.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The action of that number.
    pub fn action(&self, number: usize) -> Result<Action<'static>> {
        self.records.action(number).with_context(|| format!("action number {number}"))
    }

    /// The id of that action, without decoding the rest.
    pub fn id(&self, number: usize) -> Result<&'static str> {
        self.records.id(number).with_context(|| format!("action number {number}"))
    }

    /// What filters ask of that action, without decoding it.
    pub fn traits(&self, number: usize) -> Result<Traits> {
        self.records.traits(number).with_context(|| format!("action number {number}"))
    }

    /// The number of the action with exactly that name: id, tool name, meta name or operationId.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.names.get(name).map(|number| number as usize)
    }

    /// Every accepted name with the number of its action, in no order.
    pub fn accepted_names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.names.all().map(|(name, number)| (name, number as usize))
    }

    /// The search index; document numbers are action numbers.
    pub fn index(&self) -> &Index<'static> {
        &self.index
    }

    /// The tool definitions of a surface over the whole catalog, as compiled.
    pub fn listed(&self, surface: Surface) -> Listed {
        self.lists[surface as usize]
    }

    /// Every action, decoded.
    pub fn actions(&self) -> Result<Vec<Action<'static>>> {
        (0..self.len()).map(|number| self.action(number)).collect()
    }

    /// The tool definitions of a surface, projected now from decoded actions: must equal what was compiled.
    pub fn project(&self, surface: Surface) -> Result<String> {
        let actions = self.actions()?;
        let view = View { actions: actions.iter().collect(), ..View::new(self.api()) };
        Ok(tools(surface, &view).json)
    }
}
