//! A short way to read `tools/call`, which nearly every message is. rmcp reads any message into values first, to find out what kind it is,
//! and out of those five times over: that took longer than the search that was asked for.

use rmcp::RoleServer;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, JsonRpcMessage, JsonRpcRequest, MetaObject};
use rmcp::model::{RequestId, RequestMetaObject};
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    id: RequestId,
    #[serde(borrow)]
    method: Cow<'a, str>,
    params: Params,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    #[serde(rename = "_meta")]
    meta: Option<JsonObject>,
    name: String,
    arguments: Option<JsonObject>,
}

/// The message, exactly as rmcp reads it. `None`: it is another one, or has members that only rmcp knows.
pub fn read(line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
    let Line { jsonrpc, id, method, params } = serde_json::from_slice(line).ok()?;
    if jsonrpc != "2.0" || method != "tools/call" {
        return None;
    }
    let mut asked = CallToolRequestParams::new(params.name);
    asked.arguments = params.arguments;
    let mut request = CallToolRequest::new(asked);
    if let Some(meta) = params.meta {
        request.extensions.insert(RequestMetaObject(MetaObject(meta)));
    }
    Some(JsonRpcMessage::Request(JsonRpcRequest::new(id, ClientRequest::CallToolRequest(request))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rmcp makes of a line, with the `_meta` that `Debug` does not show.
    fn shown(message: &RxJsonRpcMessage<RoleServer>) -> String {
        let meta = match message {
            JsonRpcMessage::Request(JsonRpcRequest { request: ClientRequest::CallToolRequest(request), .. }) => {
                request.extensions.get::<RequestMetaObject>().cloned()
            }
            _ => None,
        };
        format!("{message:?} {meta:?}")
    }

    #[test]
    fn a_call_is_read_as_rmcp_reads_it() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":[1,2.5,"ü\u00e9",null]}}}"#,
            r#"{"method":"tools/call","id":"x","params":{"_meta":{"progressToken":7,"o":{"p":[]}},"name":"a"},"jsonrpc":"2.0"}"#,
            r#" {"jsonrpc":"2.0","id":-9007199254740993,"method":"tools\/call","params":{"name":"\"","arguments":null,"_meta":null}} "#,
            r#"{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a","arguments":{}}}"#,
        ] {
            let fast = read(line.as_bytes()).expect(line);
            assert_eq!(shown(&fast), shown(&serde_json::from_str(line).expect(line)), "{line}");
        }
    }

    #[test]
    fn anything_else_is_left_to_rmcp() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"a","arguments":{}}}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","requestState":"s"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}} x"#,
            "",
        ] {
            assert!(read(line.as_bytes()).is_none(), "{line}");
        }
    }
}
