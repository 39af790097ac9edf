//! Bodies that are kept.

/// Bytes that are kept of a body. Pages that people read are far smaller; a body without end must not fill memory.
const MOST_BYTES: usize = 4 << 20;

/// Adds the next bytes of a body to what is kept of it.
pub(super) fn keep(body: &mut Vec<u8>, bytes: &[u8]) {
    let room = MOST_BYTES.saturating_sub(body.len());
    body.extend_from_slice(&bytes[..bytes.len().min(room)]);
}
