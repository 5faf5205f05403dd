//! Who the caller is and what it may do, in Arcane's words.

use super::{environment, holds};
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::{Aside, Refresh, Refusal, SignIn};
use crate::untrusted;
use callslip_catalog::model::Auth;
use serde_json::json;

/// The server was updated or the session is over: a refresh token gets a new one.
pub(super) fn session_ended(refusal: &Refusal<'_>) -> bool {
    refusal.status == 401
        && !refusal.with_key
        && (holds(refusal.detail, "application has been updated") || holds(refusal.detail, "session expired"))
}

pub(super) fn refresh(token: &str) -> Refresh {
    let aside = Aside { path: "/auth/refresh".into(), post: Some(json!({ "refreshToken": token })) };
    Refresh { aside, token: "/data/token", next: "/data/refreshToken" }
}

pub(super) const SIGN_IN: SignIn =
    SignIn { action: "auth.login", user: "username", password: "password", token: "token", refresh: "refreshToken" };

pub(super) fn explain(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    match refusal.status {
        401 => unauthorized(call, refusal),
        403 => forbidden(call, refusal),
        _ => None,
    }
}

fn unauthorized(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    if session_ended(refusal) {
        return Some(
            Failure::new(Code::Unauthorized, "The session of `ARCANE_TOKEN` has ended.")
                .next("Sign in again (`callslip login`) and set the new `ARCANE_TOKEN`, or use an API key in `ARCANE_API_KEY`, which outlives updates.")
                .next("With `ARCANE_REFRESH_TOKEN` set beside it, a session that has ended is renewed once by itself."),
        );
    }
    if refusal.with_key && call.action.auth == Auth::Session {
        return Some(
            Failure::new(Code::Unauthorized, format!("`{}` needs a session token; an API key is never accepted there.", call.action.id))
                .next("Set `ARCANE_TOKEN` to a session token instead of `ARCANE_API_KEY`, or do this step in the web page."),
        );
    }
    if holds(refusal.detail, "password is incorrect") {
        return Some(
            Failure::new(Code::InvalidRequest, format!("`{}` was refused: the present password that was given is wrong.", call.action.id))
                .next("Give the right one; nothing was changed, and the configured credential is fine."),
        );
    }
    if holds(refusal.detail, "step-up authentication is required") {
        return Some(
            Failure::new(Code::Unauthorized, format!("`{}` wants a fresh proof of who asks.", call.action.id))
                .next("`passkey.password_step_up` with the password answers with a `token` for some minutes: give it as `stepUpToken`."),
        );
    }
    if holds(refusal.detail, "invalid api key") {
        return Some(
            Failure::new(Code::Unauthorized, "Arcane does not know the API key it was sent.")
                .next("Check that `ARCANE_API_KEY` holds a whole key (`arc_` and 64 hex digits) that has not been revoked; `callslip doctor` tests it."),
        );
    }
    None
}

fn forbidden(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    let at = refusal.detail.to_ascii_lowercase().find("permission denied:")?;
    let wanted = untrusted::line(refusal.detail.get(at + "permission denied:".len()..)?, 80);
    let environment = environment(call);
    let place = if call.action.path.contains("{environmentId}") { format!(" on environment `{environment}`") } else { String::new() };
    if holds(&wanted, "global admin") {
        return Some(
            Failure::new(
                Code::Forbidden,
                format!("`{}` needs a global administrator, one who holds every permission of this version.", call.action.id),
            )
            .next("Use the key of an administrator. A key made before an update may lack the permissions that came with it."),
        );
    }
    // The catalog's own word; what the server says stands under the mark.
    let permission = &*call.action.permission;
    if permission.is_empty() {
        return Some(
            Failure::new(Code::Forbidden, format!("The credential lacks a permission{place}, which `{}` needs.", call.action.id))
                .next("An administrator can grant it; `role.list` shows which role has it, `auth.me` who is calling."),
        );
    }
    Some(
        Failure::new(
            Code::Forbidden,
            format!("The credential lacks the permission `{permission}`{place}, which `{}` needs.", call.action.id),
        )
        .next(format!("An administrator can grant `{permission}`{place}; `role.list` shows which role has it, `auth.me` who is calling.")),
    )
}
