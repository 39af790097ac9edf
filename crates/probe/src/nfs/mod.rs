//! A client of NFS 3 over TCP in user space, to time calls where the kernel has no client. It caches nothing, reads nothing ahead and has one call
//! under way. So it tests a server and the way there, and not the client of a kernel.
//!
//! | deed | place |
//! | --- | --- |
//! | numbers and texts of messages | `xdr` |
//! | a call and its answer on a connection | `rpc` |
//! | calls of the protocols, and their results | `client`; `results` |
//! | records that are read or written for a while, and timed | `records` |
//! | what a server may answer instead; what is said of it | `fault`; `error` |

mod client;
mod error;
mod fault;
mod records;
mod results;
mod rpc;
mod xdr;

pub use client::{FileHandle, NfsClient};
pub use error::NfsError;
pub use fault::Fault;
pub use records::{NfsOperation, NfsRecords, NfsTimes};

/// What the answers of a server come to, read as the results of every call. The first four bytes of a message are its length and whether it is the
/// last of a record.
///
/// # Errors
/// What is no record, or no answer to a call.
pub fn read_any_results(bytes: &[u8]) -> Result<(), Fault> {
    let mut record = Vec::new();
    let length = rpc::read_record(&mut &*bytes, &mut record).map_err(|_| Fault::Short)?;
    let record = &record[..length];
    let transaction = record.first_chunk().map_or(0, |it| u32::from_be_bytes(*it));
    let results = rpc::results(record, transaction)?;
    let [mut mounted, mut found, mut told] = [results; 3];
    let [mut read, mut written, mut committed] = [results; 3];
    results::mounted(&mut mounted)
        .map(drop)
        .or_else(|_| results::found(&mut found).map(drop))
        .or_else(|_| results::file_bytes(&mut told).map(drop))
        .or_else(|_| results::data(&mut read).map(drop))
        .or_else(|_| results::written(&mut written).map(drop))
        .or_else(|_| results::committed(&mut committed))
}
