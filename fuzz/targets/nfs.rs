//! Answers of a server of NFS that sends anything: no panic, and no more memory than an answer may take.
#![no_main]

use hotset_probe::nfs::read_any_results;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _read = read_any_results(data);
});
