//! Sign-in: the one place where answering needs the accounts.

use serde_json::{Value, json};

use crate::{
    call::Call,
    credential::Accounts,
    example::Example,
    identity,
    moment::{START, rfc3339},
    problem::problem,
    reply::Reply,
};

/// The name and password that sign in.
pub(crate) const USERNAME: &str = "ada";
pub(crate) const PASSWORD: &str = "arcane-sandbox";
/// A user whose sign-in stops at the second factor.
const SECOND_FACTOR: &str = "grace";

/// Answers sign-in, refreshing and signing out.
pub(crate) fn answer(accounts: &mut Accounts, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "login" => Some(sign_in(accounts, call)),
        "refresh-token" => {
            let known = call.text("refreshToken").is_some_and(|token| accounts.refresh(token));
            Some(if known || call.switches.lenient_ids {
                Reply::data(&tokens(accounts, true))
            } else {
                problem(401, "Unauthorized: invalid refresh token")
            })
        }
        _ if call.switches.lenient_ids => None,
        // An account without a password, as single sign-on makes it, has none to give.
        "change-password" => {
            let wrong = call.text("currentPassword").is_some_and(|given| given != PASSWORD);
            wrong.then(|| problem(401, "Current password is incorrect"))
        }
        "password-step-up" => (call.text("password") != Some(PASSWORD)).then(|| problem(401, "password is incorrect")),
        "enable-passkey-mfa" | "disable-passkey-mfa" | "regenerate-passkey-recovery-codes" => {
            (!call.stepped_up).then(|| problem(401, "fresh step-up authentication is required"))
        }
        _ => None,
    }
}

fn sign_in(accounts: &mut Accounts, call: &Call) -> Reply {
    let (user, password) = (call.text("username").unwrap_or_default(), call.text("password").unwrap_or_default());
    let known = matches!(user, USERNAME | SECOND_FACTOR) && password == PASSWORD;
    if !known && !call.switches.lenient_ids {
        return problem(401, "Invalid username or password");
    }
    if user == SECOND_FACTOR {
        return Reply::data(&json!({
            "success": false, "status": "mfa_required",
            "mfa": {
                "transactionId": identity::uuid("second factor"), "method": "passkey", "options": {},
                "expiresAt": rfc3339(START + 300)
            }
        }));
    }
    let mut data = tokens(accounts, true);
    data["success"] = json!(true);
    data["status"] = json!("authenticated");
    data["user"] = me();
    Reply::data(&data)
}

fn tokens(accounts: &mut Accounts, fresh: bool) -> Value {
    let token = accounts.issue_token(fresh);
    json!({ "token": token, "refreshToken": format!("refresh.{}", identity::hex(&token, 40)), "expiresAt": rfc3339(START + 3_600) })
}

/// The administrator, in the shape that `auth/me` gives it.
fn me() -> Value {
    let Some(operation) = crate::operation::operation("get-current-user") else {
        return json!({});
    };
    let Some(shape) = &operation.response else {
        return json!({});
    };
    let mut whole = Example { operation, row: 0 }.value(shape, "");
    whole["data"].take()
}
