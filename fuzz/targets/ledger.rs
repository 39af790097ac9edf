//! What the file of a ledger says is read or refused in words, whatever a full disk or a power cut left of it.
#![no_main]

use hotset_machine::ledger;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let ledgers = tempfile::tempdir().expect("a temporary folder");
    let deployment = ledgers.path().join("deployment");
    std::fs::create_dir(&deployment).expect("a folder");
    std::fs::write(deployment.join("ledger"), data).expect("a ledger");
    match ledger::owner(&deployment) {
        Ok(owner) => assert!(owner.is_none() || data.contains(&b'\n'), "a line without its end counts"),
        Err(error) => assert!(error.to_string().contains("line "), "{error}"),
    }
    let left = ledger::left(ledgers.path());
    assert!(left.map_or(true, |left| left.len() <= 1));
});
