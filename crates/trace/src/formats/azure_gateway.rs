//! Azure Application Gateway's access log, versions 1 and 2 (Azure documentation, "Diagnostic logs for Application
//! Gateway", access log), alone or in the `records` of an envelope that holds one of them.
//!
//! Where version 2 logs the request before rewriting (`originalRequestUriWithArgs`, `originalHost`), that is read.
//! Version 1 appends notes of its own to `requestQuery`, which are cut off. `sentBytes` includes headers.

use super::FormatKind;
use super::json::{Description, JsonField};

impl FormatKind {
    /// Azure Application Gateway's access log.
    pub const AZURE_GATEWAY: FormatKind = FormatKind::of_json("azure-gateway", 9, &DESCRIPTION);
}

const DESCRIPTION: Description = Description {
    keys: &[
        (JsonField::Time, "timeStamp"),
        (JsonField::Time, "timestamp"),
        (JsonField::Time, "time"),
        (JsonField::Method, "properties.httpMethod"),
        (JsonField::Uri, "properties.originalRequestUriWithArgs"),
        (JsonField::Uri, "properties.requestUri"),
        (JsonField::Query, "properties.requestQuery"),
        (JsonField::Protocol, "properties.httpVersion"),
        (JsonField::Status, "properties.httpStatus"),
        (JsonField::Bytes, "properties.sentBytes"),
        (JsonField::Host, "properties.originalHost"),
        (JsonField::Host, "properties.host"),
        (JsonField::Client, "properties.clientIP"),
    ],
    envelope: Some("records"),
    query: client_query,
    ..Description::PLAIN
};

/// The query that the client sent, without the gateway's notes behind it
/// (`X-AzureApplicationGateway-CACHE-HIT=0&SERVER-ROUTED=…`).
fn client_query(query: &[u8]) -> &[u8] {
    const NOTES: &[u8] = b"X-AzureApplicationGateway-";
    let Some(notes) = memchr::memmem::find(query, NOTES) else {
        return query;
    };
    let client = &query[..notes];
    client.strip_suffix(b"&").unwrap_or(client)
}
