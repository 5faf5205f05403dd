//! What is known of clients: how many tools one takes. Only for a warning; nothing is served differently for it.
//! Sources and dates stand in `docs/clients.md`.

/// A client whose bound is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Part of the name it introduces itself with, in lower case.
    pub name: &'static str,
    /// How it is called.
    pub title: &'static str,
    /// Most tools of all servers together.
    pub tools: usize,
}

/// More specific names first.
pub const KNOWN: [Known; 8] = [
    Known { name: "cursor", title: "Cursor", tools: 40 },
    Known { name: "visual studio code", title: "VS Code", tools: 128 },
    Known { name: "vscode", title: "VS Code", tools: 128 },
    Known { name: "copilot", title: "GitHub Copilot", tools: 128 },
    Known { name: "antigravity", title: "Antigravity", tools: 128 },
    Known { name: "openai", title: "OpenAI", tools: 128 },
    Known { name: "codex", title: "Codex", tools: 128 },
    Known { name: "gemini", title: "Gemini", tools: 512 },
];

/// A sentence on a list that is longer than the client is known to take.
pub fn warning(client: &str, tools: usize) -> Option<String> {
    let name = client.to_lowercase();
    let known = KNOWN.iter().find(|known| name.contains(known.name)).filter(|known| tools > known.tools)?;
    Some(format!(
        "{} takes about {} tools of all its servers together, this list has {tools}. Choose --tool-surface dynamic or progressive, or cut the list down with --exclude or --toolsets and --only-toolsets.",
        known.title, known.tools
    ))
}

#[cfg(test)]
mod tests {
    use super::warning;

    #[test]
    fn only_a_list_that_is_too_long_is_warned_of() {
        assert!(warning("cursor-vscode", 400).is_some_and(|text| text.contains("Cursor") && text.contains("400")));
        assert!(warning("Visual Studio Code", 129).is_some());
        assert_eq!(warning("Visual Studio Code", 128), None);
        assert_eq!(warning("claude-code", 400), None, "it defers tools and takes any number");
        assert_eq!(warning("", 400), None);
    }
}
