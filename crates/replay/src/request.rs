//! Writing a request's bytes.

use crate::Header;

/// What a request says unless one of the given headers says it.
const USUAL: [(&str, &str); 2] = [
    ("User-Agent", concat!("hotset/", env!("CARGO_PKG_VERSION"))),
    ("Accept", "*/*"),
];

/// What follows the path in every request to `host`.
pub fn fields(host: &str, headers: &[Header]) -> Vec<u8> {
    let usual = USUAL
        .into_iter()
        .filter(|(name, _)| !headers.iter().any(|header| header.is(name)));
    let own = headers.iter().map(|header| (header.name(), header.value()));
    let mut fields = format!(" HTTP/1.1\r\nHost: {host}\r\n");
    for (name, value) in usual.chain(own) {
        fields += &format!("{name}: {value}\r\n");
    }
    fields += "\r\n";
    fields.into_bytes()
}

/// Writes into `request` a GET for `path`, which `prefix` goes before and `fields` behind.
pub fn write(request: &mut Vec<u8>, prefix: &str, path: &[u8], fields: &[u8]) {
    request.clear();
    request.extend_from_slice(b"GET ");
    request.extend_from_slice(prefix.as_bytes());
    request.extend_from_slice(path);
    request.extend_from_slice(fields);
}

/// Writes into `request` a POST without a body; as [`write`].
pub fn write_post(request: &mut Vec<u8>, prefix: &str, path: &[u8], fields: &[u8]) {
    request.clear();
    request.extend_from_slice(b"POST ");
    request.extend_from_slice(prefix.as_bytes());
    request.extend_from_slice(path);
    // Before the empty line that ends the fields.
    request.extend_from_slice(&fields[..fields.len() - END.len()]);
    request.extend_from_slice(b"Content-Length: 0\r\n");
    request.extend_from_slice(END);
}

/// Writes into `request` a POST of a form's fields, which `body` has as a browser encodes them; as [`write`].
pub fn write_form(request: &mut Vec<u8>, prefix: &str, path: &[u8], fields: &[u8], body: &[u8]) {
    request.clear();
    request.extend_from_slice(b"POST ");
    request.extend_from_slice(prefix.as_bytes());
    request.extend_from_slice(path);
    // Before the empty line that ends the fields.
    request.extend_from_slice(&fields[..fields.len() - END.len()]);
    let length = body.len();
    let own =
        format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n");
    request.extend_from_slice(own.as_bytes());
    request.extend_from_slice(END);
    request.extend_from_slice(body);
}

/// What ends the fields.
const END: &[u8] = b"\r\n";

/// Whether a path can stand in a request line.
pub fn is_path(path: &[u8]) -> bool {
    path.first() == Some(&b'/') && path.iter().all(u8::is_ascii_graphic)
}
