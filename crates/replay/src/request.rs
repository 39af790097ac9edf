//! Writing a request's bytes.

/// What follows the path in every request to `host`.
pub fn fields(host: &str) -> Vec<u8> {
    let agent = concat!("hotset/", env!("CARGO_PKG_VERSION"));
    format!(" HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {agent}\r\nAccept: */*\r\n\r\n").into_bytes()
}

/// Writes into `request` a GET for `path`, which `prefix` goes before and `fields` behind.
pub fn write(request: &mut Vec<u8>, prefix: &str, path: &[u8], fields: &[u8]) {
    request.clear();
    request.extend_from_slice(b"GET ");
    request.extend_from_slice(prefix.as_bytes());
    request.extend_from_slice(path);
    request.extend_from_slice(fields);
}

/// Whether a path can stand in a request line.
pub fn is_path(path: &[u8]) -> bool {
    path.first() == Some(&b'/') && path.iter().all(u8::is_ascii_graphic)
}
