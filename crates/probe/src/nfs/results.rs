//! Results of calls: of the mount protocol (RFC 1813, 5) and of NFS 3 (RFC 1813, 3).

use std::ops::Range;

use super::fault::Fault;
use super::xdr::Reader;

/// Most bytes of a handle (`NFS3_FHSIZE`).
const MOST_HANDLE_BYTES: usize = 64;
/// Bytes of attributes (`fattr3`), of them before the size and after it.
const BEFORE_SIZE_BYTES: usize = 20;
const AFTER_SIZE_BYTES: usize = 84 - BEFORE_SIZE_BYTES - 8;
/// Bytes of what is said of a file before a call (`wcc_attr`).
const BEFORE_CALL_BYTES: usize = 24;
/// Bytes by which a server shows that it was started anew (`NFS3_WRITEVERFSIZE`).
const VERIFIER_BYTES: usize = 8;
/// Most bytes of a file in an answer.
const MOST_DATA_BYTES: usize = 1 << 20;

/// A call has no results but that it was answered.
pub(super) fn nothing(_results: &mut Reader<'_>) -> Result<(), Fault> {
    Ok(())
}

fn check(results: &mut Reader<'_>) -> Result<(), Fault> {
    match results.u32()? {
        0 => Ok(()),
        status => Err(Fault::Refused(status)),
    }
}

/// MNT: the handle of what is exported.
pub(super) fn mounted(results: &mut Reader<'_>) -> Result<Vec<u8>, Fault> {
    found(results)
}

/// LOOKUP: the handle of what has the name. Attributes may follow.
pub(super) fn found(results: &mut Reader<'_>) -> Result<Vec<u8>, Fault> {
    check(results)?;
    Ok(results.bytes(MOST_HANDLE_BYTES)?.to_vec())
}

/// GETATTR: bytes of the file.
pub(super) fn file_bytes(results: &mut Reader<'_>) -> Result<u64, Fault> {
    check(results)?;
    attributes(results)
}

/// READ: where in the answer its bytes are.
pub(super) fn data(results: &mut Reader<'_>) -> Result<Range<usize>, Fault> {
    check(results)?;
    after_call(results)?;
    results.u32()?;
    results.flag()?;
    let start = results.at() + 4;
    let bytes = results.bytes(MOST_DATA_BYTES)?;
    Ok(start..start + bytes.len())
}

/// WRITE: bytes that were written.
pub(super) fn written(results: &mut Reader<'_>) -> Result<u64, Fault> {
    check(results)?;
    both_sides(results)?;
    let bytes = results.u32()?;
    results.u32()?;
    results.take(VERIFIER_BYTES)?;
    Ok(u64::from(bytes))
}

/// COMMIT.
pub(super) fn committed(results: &mut Reader<'_>) -> Result<(), Fault> {
    check(results)?;
    both_sides(results)?;
    results.take(VERIFIER_BYTES)?;
    Ok(())
}

/// Attributes, of which the size.
fn attributes(results: &mut Reader<'_>) -> Result<u64, Fault> {
    results.take(BEFORE_SIZE_BYTES)?;
    let bytes = results.u64()?;
    results.take(AFTER_SIZE_BYTES)?;
    Ok(bytes)
}

/// Attributes after a call, if it has any (`post_op_attr`).
fn after_call(results: &mut Reader<'_>) -> Result<(), Fault> {
    if results.flag()? {
        attributes(results)?;
    }
    Ok(())
}

/// What is said of a file before and after a call (`wcc_data`).
fn both_sides(results: &mut Reader<'_>) -> Result<(), Fault> {
    if results.flag()? {
        results.take(BEFORE_CALL_BYTES)?;
    }
    after_call(results)
}
