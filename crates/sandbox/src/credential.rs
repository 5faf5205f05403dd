//! Who is calling: keys with their permissions, session tokens, and the texts with which the others are turned away.

use std::collections::BTreeSet;

use axum::http::HeaderMap;

use crate::{
    operation::{Access, Operation},
    options::Switches,
    problem::problem,
    reply::Reply,
};

/// Accounts known to the sandbox.
#[derive(Debug, Default)]
pub(crate) struct Accounts {
    keys: Vec<(String, Caller)>,
    /// Valid session tokens, and whether each was issued after a version bump.
    tokens: Vec<(String, bool)>,
    issued: u32,
    /// Refresh tokens that have served.
    spent: BTreeSet<String>,
}

/// What a caller may do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Caller {
    /// `None`: everything.
    pub permissions: Option<BTreeSet<String>>,
}

impl Caller {
    pub fn may(&self, permission: &str) -> bool {
        self.permissions.as_ref().is_none_or(|held| held.contains(permission))
    }
}

impl Accounts {
    pub fn add_key(&mut self, key: &str, permissions: Option<BTreeSet<String>>) {
        self.keys.retain(|(known, _)| known != key);
        self.keys.push((key.to_owned(), Caller { permissions }));
    }

    /// A new session token. It has the three parts of a JWT, and no meaning.
    pub fn issue_token(&mut self, after_bump: bool) -> String {
        self.issued += 1;
        let token = format!("eyJhbGciOiJIUzI1NiJ9.c2FuZGJveC1zZXNzaW9u.{:08x}", self.issued.wrapping_mul(0x9e37_79b1));
        self.tokens.push((token.clone(), after_bump));
        token
    }

    /// Whether a refresh token counts. It does once.
    pub fn refresh(&mut self, token: &str) -> bool {
        token.starts_with("refresh.") && self.spent.insert(token.to_owned())
    }

    /// The server is updated once more: every token so far is from before.
    pub fn end_sessions(&mut self) {
        for (_, after_bump) in &mut self.tokens {
            *after_bump = false;
        }
    }

    /// Checks the credential; the order and the texts are Arcane's. A key wins over a token, and a wrong key is not
    /// mended by a right token.
    pub fn authenticate(&self, operation: &Operation, headers: &HeaderMap, switches: &Switches) -> Result<Caller, Box<Reply>> {
        let refuse = |text: &str| Err(Box::new(problem(401, text)));
        if operation.access == Access::Public {
            return Ok(Caller::default());
        }
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(key) = header("x-api-key") {
            let Some((_, caller)) = self.keys.iter().find(|(known, _)| known == key) else {
                return refuse("Unauthorized: invalid API key");
            };
            if operation.access == Access::Session {
                return refuse("Unauthorized: valid authentication required");
            }
            return Ok(caller.clone());
        }
        let bearer = header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        match bearer.map(|token| self.tokens.iter().find(|(known, _)| known == token)) {
            Some(Some((_, fresh))) if switches.version_bumped && !fresh => refuse("Application has been updated. Refreshing session."),
            Some(Some(_)) => Ok(Caller::default()),
            Some(None) => refuse("Session expired. Please log in again."),
            None => refuse("Unauthorized: valid authentication required"),
        }
    }
}

/// Checks the permission; 403 names the missing one.
pub(crate) fn authorize(operation: &Operation, caller: &Caller) -> Result<(), Box<Reply>> {
    let refuse = |permission: &str| {
        let text = format!("permission denied: {permission}");
        Err(Box::new(if operation.kind == crate::Kind::Socket {
            Reply::json(403, &serde_json::json!({ "code": "FORBIDDEN", "message": text }))
        } else {
            problem(403, text)
        }))
    };
    if operation.admin && caller.permissions.is_some() {
        return refuse("global admin required");
    }
    match &operation.permission {
        Some(permission) if !caller.may(permission) => refuse(permission),
        _ => Ok(()),
    }
}
