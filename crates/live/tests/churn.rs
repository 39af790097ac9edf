//! How much may be moved in a time.

use hotset_live::Churn;
use std::time::Duration;

#[test]
fn a_minutes_worth_is_moved_in_a_minute_and_never_more_at_once() {
    let mut churn = Churn::new(Some(600));
    assert!(churn.take(600) && !churn.take(1));
    churn.pass(Duration::from_secs(6));
    assert!(churn.take(60) && !churn.take(1));
    churn.pass(Duration::from_secs(3600));
    assert!(churn.take(600) && !churn.take(1));
}
