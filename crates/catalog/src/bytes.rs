//! `catalog.bin`: an offset table and two bincode records an action, each decoded when it is asked for: the whole and its card.
//!
//! Layout, all numbers little-endian `u32`: magic, number of actions n, 2n + 2 offsets (the API record, each action, each card, the end),
//! one byte of [`Traits`] an action, records.

use crate::model::{Action, Api, Card, Kind};

const MAGIC: u32 = 0x3450_4c53; // "SLP4"

/// What filters ask of every action at start, so that none has to be decoded for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits(u8);

impl Traits {
    const LEFT_OUT: u8 = 4;

    fn of(action: &Action<'_>) -> Self {
        Self(action.kind as u8 | if action.left_out { Self::LEFT_OUT } else { 0 })
    }

    /// [`Action::kind`].
    pub fn kind(self) -> Kind {
        match self.0 & 3 {
            0 => Kind::Read,
            1 => Kind::Write,
            2 => Kind::Paid,
            _ => Kind::Destructive,
        }
    }

    /// [`Action::left_out`].
    pub fn left_out(self) -> bool {
        self.0 & Self::LEFT_OUT != 0
    }
}

/// Most bytes one record may ask for: a damaged length must not make the reader reserve the memory of the machine.
const LARGEST: usize = 1 << 26;

/// How every record is written and read.
pub(crate) const CONFIG: bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    bincode::config::Limit<LARGEST>,
> = bincode::config::standard().with_limit::<LARGEST>();

/// Why a compiled catalog cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes are not a compiled catalog, or one of another version.
    #[error("not a compiled catalog of this version; compile it again")]
    Format,
    /// A record does not decode.
    #[error("a record of the compiled catalog is damaged; compile it again")]
    Record(#[from] bincode::error::DecodeError),
}

/// Writes the API record, every action and every card. `number`: the number of the action with an accepted name.
pub fn write(api: &Api<'_>, actions: &[Action<'_>], number: &dyn Fn(&str) -> Option<u32>) -> Result<Vec<u8>, bincode::error::EncodeError> {
    let mut records = vec![bincode::encode_to_vec(api, CONFIG)?];
    for action in actions {
        records.push(bincode::encode_to_vec(action, CONFIG)?);
    }
    for action in actions {
        records.push(bincode::encode_to_vec(Card::of(action, number), CONFIG)?);
    }
    let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
    let mut out = Vec::new();
    out.extend(MAGIC.to_le_bytes());
    out.extend(count.to_le_bytes());
    let mut offset = 8 + 4 * (2 * u64::from(count) + 2) + u64::from(count);
    for length in records.iter().map(Vec::len).chain([0]) {
        out.extend(u32::try_from(offset).unwrap_or(u32::MAX).to_le_bytes());
        offset += length as u64;
    }
    out.extend(actions.iter().map(|action| Traits::of(action).0));
    for record in &records {
        out.extend(record);
    }
    Ok(out)
}

/// A compiled catalog read in place.
#[derive(Debug, Clone, Copy)]
pub struct Records<'a>(&'a [u8]);

impl<'a> Records<'a> {
    /// Checks the header; decodes nothing.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let records = Self(bytes);
        let end = records.number(4).and_then(|count| records.offset(2 * count as usize + 1));
        match (records.number(0), end) {
            (Some(MAGIC), Some(end)) if end as usize == bytes.len() => Ok(records),
            _ => Err(ReadError::Format),
        }
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.number(4).unwrap_or(0) as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is true of the whole API.
    pub fn api(&self) -> Result<Api<'a>, ReadError> {
        let mut api: Api<'a> = bincode::borrow_decode_from_slice(self.record(0)?, CONFIG)?.0;
        api.domains.bounded(api.toolsets.len(), self.len());
        Ok(api)
    }

    /// The action of that number.
    pub fn action(&self, number: usize) -> Result<Action<'a>, ReadError> {
        Ok(bincode::borrow_decode_from_slice(self.record(number + 1)?, CONFIG)?.0)
    }

    /// The card of that action.
    pub fn card(&self, number: usize) -> Result<Card<'a>, ReadError> {
        let record = if number < self.len() { self.record(self.len() + number + 1)? } else { return Err(ReadError::Format) };
        Ok(bincode::borrow_decode_from_slice(record, CONFIG)?.0)
    }

    /// The id of that action alone.
    pub fn id(&self, number: usize) -> Result<&'a str, ReadError> {
        // It is the first field of the record.
        Ok(bincode::borrow_decode_from_slice(self.record(number + 1)?, CONFIG)?.0)
    }

    /// The traits of that action.
    pub fn traits(&self, number: usize) -> Result<Traits, ReadError> {
        let table = 8 + 4 * (2 * self.len() + 2);
        self.0.get(table + number).filter(|_| number < self.len()).map(|byte| Traits(*byte)).ok_or(ReadError::Format)
    }

    fn record(&self, number: usize) -> Result<&'a [u8], ReadError> {
        let start = self.offset(number).ok_or(ReadError::Format)?;
        let end = self.offset(number + 1).ok_or(ReadError::Format)?;
        self.0.get(start as usize..end as usize).ok_or(ReadError::Format)
    }

    fn offset(&self, number: usize) -> Option<u32> {
        self.number(8 + 4 * number)
    }

    fn number(&self, at: usize) -> Option<u32> {
        self.0.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
    }
}
