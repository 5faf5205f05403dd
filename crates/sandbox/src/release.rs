//! Which versions of the server have an operation.

/// Whether a server of this version has an operation.
pub(crate) fn known(since: &str, version: &str) -> bool {
    let (after, first) = match since.split_once(' ') {
        Some(("after", first)) => (true, first),
        Some((_, first)) => (false, first),
        None => (false, since),
    };
    let (have, need) = (numbers(version), numbers(first));
    if after { have > need } else { have >= need }
}

fn numbers(version: &str) -> [u32; 3] {
    let mut pieces = version.trim_start_matches('v').split(['.', '-', '+']).map(|piece| piece.parse().unwrap_or(0));
    [0; 3].map(|_: u32| pieces.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn versions() {
        assert!(known("2.8.0", "2.8.0"));
        assert!(!known("after 2.8.1", "v2.8.1"));
        assert!(known("after 2.8.1", "2.9.0"));
        assert!(!known("by 2.14.0", "2.9.0"));
        assert!(known("by 2.14.0", "2.14.0-rc1"));
    }
}
