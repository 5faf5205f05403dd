//! The catalog at run time: compiled bytes read in place, be they in the binary, in a compiled file or just compiled from a source.

use crate::guides::Guides;
use crate::names::{self, Names};
use crate::{mapped, source};
use anyhow::{Context, Result, ensure};
use callslip_catalog::bytes::{Records, Traits};
use callslip_catalog::compile;
use callslip_catalog::file::{File, FileError, Section};
use callslip_catalog::index::Index;
use callslip_catalog::model::{Action, Api, Card};
use callslip_catalog::names::Table;
use callslip_catalog::project::{Surface, View, tools};
use std::ops::Range;
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
        self.run(number..number + 1)
    }

    /// The bytes of tools that follow each other, with the commas between them.
    pub fn run(&self, numbers: Range<usize>) -> Option<&'static [u8]> {
        let start = self.start(numbers.start)?;
        let end = self.start(numbers.end).map_or(self.json.len(), |next| next).saturating_sub(1);
        self.json.get(start..end)
    }

    fn start(&self, number: usize) -> Option<usize> {
        let bytes = self.starts.get(4 * number..4 * number + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    }
}

/// A whole catalog. It lives as long as the process: what is not in the binary is leaked once.
#[derive(Debug)]
pub struct Catalog {
    records: Records<'static>,
    index: Index<'static>,
    names: Names,
    lists: [Listed; 4],
    api: Api<'static>,
    guides: Guides,
    file: Option<File<'static>>,
    source: Option<PathBuf>,
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

    /// What `--catalog` names: a compiled file is opened, anything else compiled now by the code that the build uses.
    pub fn open(path: &Path) -> Result<Self> {
        let catalog = if mapped::is_compiled(path)? {
            Self::from_bytes(mapped::map(path)?).with_context(|| path.display().to_string())?
        } else {
            let read = source::read(path)?;
            if let Some(summary) = read.summary(path) {
                eprintln!("callslip: warning: {summary}");
            }
            Self::from_bytes(compile::pack(&compile::compile(&read.checked)?)?.leak())?
        };
        Ok(Self { source: Some(path.to_owned()), ..catalog })
    }

    /// The bytes of a compiled file. Nothing is parsed but its header and what is true of the whole API.
    pub fn from_bytes(bytes: &'static [u8]) -> Result<Self> {
        let file = File::open(bytes)?;
        let names = Table::open(file.section(Section::Names)).ok_or(FileError::Damaged("its names"))?;
        let lists = Surface::NAMES.map(|(_, surface)| {
            let (json, starts) = file.surface(surface as usize);
            Listed { json, starts }
        });
        let guides = Guides::of(file.guides()?);
        let catalog = Self::new(file.section(Section::Catalog), file.section(Section::Index), Names::Sorted(names), lists, guides)?;
        Ok(Self { file: Some(file), ..catalog })
    }

    fn new(catalog: &'static [u8], index: &'static [u8], names: Names, lists: [Listed; 4], guides: Guides) -> Result<Self> {
        let records = Records::open(catalog)?;
        let (api, index) = (records.api()?, Index::open(index)?);
        ensure!(!records.is_empty(), "the catalog has no action");
        ensure!(index.len() as usize == records.len(), FileError::Damaged("its actions and its index do not fit"));
        Ok(Self { api, index, records, names, lists, guides, file: None, source: None })
    }

    /// Whether the compiled file is as it was written, the whole of it; the one in the binary is.
    pub fn check(&self) -> Result<(), FileError> {
        self.file.map_or(Ok(()), |file| file.check_all())
    }

    /// The same for the tools of one surface, asked before they are sent as they are.
    pub fn check_surface(&self, surface: Surface) -> Result<(), FileError> {
        self.file.map_or(Ok(()), |file| file.check_surface(surface as usize))
    }

    /// What is true of the whole API.
    pub fn api(&self) -> &Api<'static> {
        &self.api
    }

    /// The folder, file or document that `--catalog` named; none for the one in the binary.
    pub fn source(&self) -> Option<&Path> {
        self.source.as_deref()
    }

    /// Its guides.
    pub fn guides(&self) -> &Guides {
        &self.guides
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none; every way to a [`Catalog`] refuses such a one.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The action of that number.
    pub fn action(&self, number: usize) -> Result<Action<'static>> {
        let action = self.records.action(number).with_context(|| format!("action number {number}"))?;
        ensure!(usize::from(action.domain) < self.api.domains.len(), FileError::Damaged("its actions"));
        Ok(action)
    }

    /// The card of that action: what a search shows of it.
    pub fn card(&self, number: usize) -> Result<Card<'static>> {
        self.records.card(number).with_context(|| format!("action number {number}"))
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
    pub fn accepted_names(&self) -> impl Iterator<Item = (&'static str, usize)> {
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
