//! When files are looked at, and how late a change is known of.

use hotset_live::{LookResult, LookSchedule, PlacerKind};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn after(look: LookResult) -> LookSchedule {
    let mut schedule = LookSchedule::default();
    schedule.restart(1000 * MS, Duration::ZERO);
    assert!(schedule.is_time(Duration::ZERO));
    schedule.begin(Duration::ZERO);
    schedule.finish(look, 100 * MS);
    schedule
}

#[test]
fn files_are_looked_at_twice_within_the_bound_where_changes_are_not_told() {
    let told = after(LookResult::default());
    let unseen = after(LookResult {
        changes_unseen: true,
        ..LookResult::default()
    });
    let interval = unseen.interval(None);
    assert_eq!(interval, 500 * MS);
    assert!(unseen.is_due(interval, 101 * MS) && !told.is_due(interval, 101 * MS));
    assert!(!told.is_time(29_999 * MS) && told.is_time(30_000 * MS));
    assert_eq!(
        told.interval(Some(20 * MS)),
        20 * MS,
        "there is more to place"
    );
}

#[test]
fn looking_takes_a_fifth_of_the_time_however_much_news_there_is() {
    let mut schedule = after(LookResult {
        took: 200 * MS,
        ..LookResult::default()
    });
    schedule.rest(300 * MS);
    assert_eq!(schedule.listens_from(), 1100 * MS);
    let mut quick = after(LookResult::default());
    quick.rest(300 * MS);
    assert_eq!(quick.listens_from(), 400 * MS);
}

#[test]
fn the_bound_of_copies_follows_what_looks_take_and_is_not_written_for_every_twitch() {
    let mut schedule = after(LookResult {
        took: 200 * MS,
        placing_took: 300 * MS,
        ..LookResult::default()
    });
    let renew =
        |schedule: &mut LookSchedule| schedule.renew_bound(PlacerKind::HotRoot, true, false);
    assert!(renew(&mut schedule) && !renew(&mut schedule));
    assert_eq!(
        schedule.bound(),
        Some(1000 * MS),
        "four looks of rest, and one"
    );
    schedule.finish(
        LookResult {
            took: 190 * MS,
            ..LookResult::default()
        },
        400 * MS,
    );
    assert!(!renew(&mut schedule), "less is near");
    schedule.finish(
        LookResult {
            took: 201 * MS,
            ..LookResult::default()
        },
        700 * MS,
    );
    assert!(renew(&mut schedule), "more is not");
    schedule.finish(
        LookResult {
            is_unbounded: true,
            ..LookResult::default()
        },
        900 * MS,
    );
    assert!(renew(&mut schedule) && schedule.bound().is_none());
    assert!(schedule.renew_bound(PlacerKind::Pin, false, true));
    assert_eq!(
        schedule.bound(),
        Some(Duration::ZERO),
        "a pinned file is the file itself"
    );
}
