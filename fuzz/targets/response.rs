//! Responses of a server that sends anything: no panic, and pieces make no difference.
//!
//! The first byte says how long the pieces are; the rest is what the server sends.
#![no_main]

use hotset_replay::response::{Malformed, Response};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&piece, bytes)) = data.split_first() else {
        return;
    };
    let whole = read(bytes, bytes.len().max(1));
    let parted = read(bytes, usize::from(piece).max(1));
    match (whole, parted) {
        (Ok(whole), Ok(parted)) => assert_eq!(whole, parted),
        // A broken head is seen at its end, if it has one.
        (Err(_), Ok(parted)) => assert!(!parted.2, "complete only in pieces"),
        (Ok(whole), Err(error)) => panic!("{error} only in pieces, else {whole:?}"),
        (Err(_), Err(_)) => {}
    }
});

/// Status, bytes of the body, whether it is complete, whether the connection persists, bytes used.
fn read(bytes: &[u8], piece: usize) -> Result<(u16, u64, bool, bool, usize), Malformed> {
    let mut response = Response::default();
    let mut at = 0;
    while at < bytes.len() && !response.is_complete() {
        let end = bytes.len().min(at + piece);
        // Every other piece of certain body is discarded instead of read, as the engine does.
        let certain = response.discardable().min((end - at) as u64);
        if certain > 0 && at % 2 == 0 {
            response.discarded(certain);
            at += certain as usize;
        } else {
            at += response.read(&bytes[at..end])?;
        }
        assert!(at <= bytes.len());
    }
    Ok((
        response.status(),
        response.body_bytes(),
        response.is_complete(),
        response.keep_alive(),
        at,
    ))
}
