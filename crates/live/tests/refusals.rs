//! Which reasons are told of files that may not be held.

use hotset_live::{Refusal, Refusals};

#[test]
fn each_reason_is_told_once_and_missing_files_never() {
    let mut refusals = Refusals::default();
    refusals.note(&Refusal::Missing);
    refusals.note(&Refusal::Outside);
    refusals.note(&Refusal::Outside);
    let announced = refusals.take();
    assert_eq!(announced.into_values().collect::<Vec<_>>(), [2]);
    refusals.note(&Refusal::Outside);
    assert!(refusals.take().is_empty());
    for uid in 0..1000 {
        refusals.note(&Refusal::Owner { uid });
    }
    assert_eq!(refusals.take().len(), 63);
}
