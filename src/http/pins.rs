//! What a request itself asks to be shown: `?surface=`, `?toolsets=`, `?only=1`, `?readonly=1`, or the same as `X-Callslip-…` headers.
//! A pure function of address and headers, so that the same request always sees the same tools.

use crate::offer::Narrowing;
use axum::http::{HeaderMap, Uri};
use callslip_catalog::project::Surface;

/// Longest name of a toolset that is looked at, and how many: they come back in the instructions.
const LONGEST_NAME: usize = 40;
const MOST_NAMES: usize = 24;

/// What a request pins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Pins {
    /// Another surface.
    pub surface: Option<SurfaceNumber>,
    /// Toolsets to announce natively.
    pub toolsets: Option<Vec<String>>,
    /// Everything is restricted to them.
    pub only: bool,
    /// Only reads.
    pub read_only: bool,
    /// A header said so, not the address: caches must not share the answer.
    pub by_header: bool,
}

/// Place of a surface in [`Surface::NAMES`]; hashable, as the surface itself is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SurfaceNumber(usize);

impl SurfaceNumber {
    /// The surface.
    pub fn surface(self) -> Surface {
        Surface::NAMES[self.0].1
    }
}

impl Pins {
    /// Reads the pins of a request; the address wins where both speak. A pin that is not understood is refused: ignoring a mistyped
    /// `readonly` would offer more than was meant.
    pub fn read(uri: &Uri, headers: &HeaderMap) -> Result<Self, String> {
        let mut pins = Self::default();
        for name in ["surface", "toolsets", "only", "readonly"] {
            let mut given = headers.get_all(format!("x-callslip-{name}")).iter();
            let Some(value) = given.next() else { continue };
            let text = value.to_str().ok().filter(|_| given.next().is_none());
            pins.set(name, text.ok_or_else(|| format!("The header X-Callslip-{name} must stand once, in plain letters."))?)?;
            pins.by_header = true;
        }
        let query = uri.query().unwrap_or_default();
        // Named twice they add up; a repeated list is easier to write than a joined one.
        let mut toolsets: Option<String> = None;
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = percent_encoding::percent_decode_str(value)
                .decode_utf8()
                .map_err(|_| format!("The value of `{}` is not UTF-8.", plain(name)))?;
            if name == "toolsets" {
                let all = toolsets.get_or_insert_default();
                all.push(',');
                all.push_str(&value.replace('+', " "));
                continue;
            }
            pins.set(name, &value.replace('+', " "))?;
        }
        if let Some(toolsets) = toolsets {
            pins.set("toolsets", &toolsets)?;
        }
        if pins.only && pins.toolsets.is_none() {
            return Err("`only=1` restricts to `toolsets`, and none is named; add `toolsets=a,b`.".into());
        }
        Ok(pins)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "surface" => {
                let found = Surface::NAMES.iter().position(|(known, _)| *known == value.trim());
                let known: Vec<_> = Surface::NAMES.iter().map(|(name, _)| *name).collect();
                self.surface = Some(SurfaceNumber(found.ok_or_else(|| format!("`surface` is one of {}.", known.join(", ")))?));
            }
            "toolsets" => self.toolsets = Some(names(value)),
            "only" => self.only = flag(name, value)?,
            "readonly" => self.read_only |= flag(name, value)?,
            _ => return Err(format!("`{}` is no pin; known are surface, toolsets, only and readonly.", plain(name))),
        }
        Ok(())
    }

    /// What they take away.
    pub fn narrowing(&self) -> Narrowing {
        Narrowing { read_only: self.read_only, pinned: self.toolsets.clone(), only: self.only, ..Narrowing::default() }
    }

    /// Whether anything is pinned.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The surface that is shown. Toolsets can be announced on `progressive` alone, so naming them asks for it.
    pub fn surface_or(&self, own: Surface) -> Surface {
        match (self.surface, &self.toolsets) {
            (Some(number), _) => number.surface(),
            (None, Some(_)) => Surface::Progressive,
            (None, None) => own,
        }
    }
}

fn flag(name: &str, value: &str) -> Result<bool, String> {
    match value.trim() {
        "1" | "true" | "yes" | "" => Ok(true),
        "0" | "false" | "no" => Ok(false),
        _ => Err(format!("`{name}` is 1 or 0.")),
    }
}

/// Names in their given order, once each.
fn names(value: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in value.split(',').map(plain).filter(|name| !name.is_empty()) {
        if !names.contains(&name) && names.len() < MOST_NAMES {
            names.push(name);
        }
    }
    names
}

/// What may be shown again of a name that a stranger wrote.
fn plain(name: &str) -> String {
    name.trim().chars().filter(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')).take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(uri: &str, headers: &[(&'static str, &'static str)]) -> Result<Pins, String> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        Pins::read(&uri.parse().unwrap(), &map)
    }

    #[test]
    fn address_and_headers_say_the_same() {
        let pins = read("/mcp?toolsets=containers,images&only=1&surface=progressive&readonly=1", &[]).unwrap();
        assert_eq!(pins.toolsets.as_deref(), Some(&["containers".to_owned(), "images".to_owned()][..]));
        assert!(pins.only && pins.read_only && !pins.by_header);
        let headers = [
            ("x-callslip-toolsets", "containers, images"),
            ("x-callslip-only", "1"),
            ("x-callslip-surface", "progressive"),
            ("x-callslip-readonly", "true"),
        ];
        assert_eq!(read("/mcp", &headers).unwrap(), Pins { by_header: true, ..pins });
    }

    #[test]
    fn the_address_wins_but_cannot_undo_read_only() {
        let pins = read("/mcp?surface=meta&readonly=0", &[("x-callslip-surface", "individual"), ("x-callslip-readonly", "1")]).unwrap();
        assert_eq!(pins.surface_or(Surface::Dynamic), Surface::Meta);
        assert!(pins.read_only);
    }

    #[test]
    fn a_mistyped_pin_is_refused() {
        for uri in ["/mcp?read-only=1", "/mcp?readonly=maybe", "/mcp?surface=all", "/mcp?only=1"] {
            assert!(read(uri, &[]).is_err(), "{uri}");
        }
        assert!(read("/mcp", &[("x-callslip-readonly", "1"), ("x-callslip-readonly", "0")]).is_err());
    }

    #[test]
    fn naming_toolsets_asks_for_the_surface_that_announces_them() {
        let twice = read("/mcp?toolsets=images&toolsets=containers,images", &[("x-callslip-toolsets", "volumes")]).unwrap();
        assert_eq!(twice.toolsets.as_deref(), Some(&["images".to_owned(), "containers".to_owned()][..]), "the address wins");
        assert_eq!(read("/mcp?toolsets=all", &[]).unwrap().surface_or(Surface::Dynamic), Surface::Progressive);
        assert_eq!(read("/mcp?toolsets=all&surface=dynamic", &[]).unwrap().surface_or(Surface::Meta), Surface::Dynamic);
        assert_eq!(read("/mcp", &[]).unwrap().surface_or(Surface::Meta), Surface::Meta);
    }
}
