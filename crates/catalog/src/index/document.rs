//! What the index is built from: one action as the search sees it.

/// How careful a caller must be with an action; ties in score go to the safer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Safety {
    /// Free and repeatable.
    #[default]
    Read = 0,
    /// Changes something.
    Write = 1,
    /// Spends something.
    Paid = 2,
    /// Takes something away.
    Destructive = 3,
}

impl Safety {
    pub(super) fn of(byte: u8) -> Self {
        match byte {
            0 => Self::Read,
            1 => Self::Write,
            2 => Self::Paid,
            _ => Self::Destructive,
        }
    }
}

/// A parameter as the search sees it.
#[derive(Clone, Debug, Default)]
pub struct Parameter<'c> {
    /// Its name.
    pub name: &'c str,
    /// What it is for.
    pub description: &'c str,
    /// The values it takes, when they are listed.
    pub values: Vec<&'c str>,
}

/// An action, or anything else that can be found (a guide): `None` and empty where it has nothing to say.
#[derive(Clone, Debug, Default)]
pub struct Document<'c> {
    /// Its id, `container.restart`; any string for a foreign catalog.
    pub id: &'c str,
    /// The API's operationId, also a name of it.
    pub operation: &'c str,
    /// Two to five words.
    pub title: &'c str,
    /// One or two sentences.
    pub description: &'c str,
    /// When to use it and when not.
    pub usage: &'c str,
    /// What people say for it; command lines among them are understood as such.
    pub aliases: Vec<&'c str>,
    /// Further words that should find it.
    pub words: Vec<&'c str>,
    /// Its parameters.
    pub parameters: Vec<Parameter<'c>>,
    /// The domain's name, `container`.
    pub domain: &'c str,
    /// The domain's title, `Containers`.
    pub domain_title: &'c str,
    /// The toolset the domain belongs to.
    pub toolset: &'c str,
    /// HTTP method.
    pub method: &'c str,
    /// HTTP path.
    pub path: &'c str,
    /// Its kind.
    pub safety: Safety,
}
