//! The domains of an API, decoded when one of them is first asked for: a big API has thousands, and a start needs none.

use super::{Domain, Text};
use bincode::de::{BorrowDecode, BorrowDecoder};
use bincode::enc::{Encode, Encoder};
use bincode::error::{DecodeError, EncodeError};
use std::ops::Deref;
use std::sync::OnceLock;

/// Groups of actions, in the order of their actions.
#[derive(Debug, Clone, Default)]
pub struct Domains<'a> {
    packed: &'a [u8],
    /// Owned, since what is filled in later must not tie the lifetime of the whole API.
    listed: OnceLock<Vec<Domain<'static>>>,
    /// How many toolsets and actions there are.
    bounds: (usize, usize),
}

impl Domains<'_> {
    /// Says what the domains must fit: those of damaged bytes are none.
    pub(crate) fn bounded(&mut self, toolsets: usize, actions: usize) {
        self.bounds = (toolsets, actions);
    }

    fn unpack(&self) -> Vec<Domain<'static>> {
        let decoded = bincode::borrow_decode_from_slice(self.packed, crate::bytes::CONFIG);
        let domains: Vec<Domain<'_>> = decoded.map(|(domains, _)| domains).unwrap_or_default();
        let (toolsets, actions) = self.bounds;
        let next = |first: u32, domain: &Domain<'_>| {
            let sound = domain.first == first && usize::from(domain.toolset) < toolsets;
            sound.then(|| first.checked_add(domain.count))?
        };
        let end = domains.iter().try_fold(0, next);
        let whole = end.is_some_and(|end| end as usize == actions);
        let owned = |text: Text<'_>| Text::Owned(text.into_owned());
        let domains = domains.into_iter().filter(|_| whole);
        domains
            .map(|domain| Domain {
                name: owned(domain.name),
                title: owned(domain.title),
                toolset: domain.toolset,
                first: domain.first,
                count: domain.count,
            })
            .collect()
    }
}

impl From<Vec<Domain<'static>>> for Domains<'_> {
    fn from(domains: Vec<Domain<'static>>) -> Self {
        Self { listed: domains.into(), ..Self::default() }
    }
}

impl Deref for Domains<'_> {
    type Target = [Domain<'static>];

    fn deref(&self) -> &Self::Target {
        self.listed.get_or_init(|| self.unpack())
    }
}

impl PartialEq for Domains<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Domains<'_> {}

impl Encode for Domains<'_> {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        bincode::encode_to_vec(&**self, crate::bytes::CONFIG)?.encode(encoder)
    }
}

impl<'de, Context> BorrowDecode<'de, Context> for Domains<'de> {
    fn borrow_decode<D: BorrowDecoder<'de, Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        Ok(Self { packed: BorrowDecode::borrow_decode(decoder)?, ..Self::default() })
    }
}
