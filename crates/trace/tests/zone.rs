//! Time zones as people name them.

use hotset_trace::Zone;
use jiff::Timestamp;
use jiff::civil::date;

const HOUR_US: i64 = 3_600_000_000;

fn zone(text: &str) -> Zone {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn us(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_microsecond()
}

#[test]
fn zones_go_by_their_names_and_follow_summer_time() {
    let berlin = zone("europe/berlin");
    assert_eq!(berlin.to_string(), "Europe/Berlin");
    assert_eq!(berlin.ahead_us(us("2026-01-15T12:00:00Z")), HOUR_US);
    assert_eq!(berlin.ahead_us(us("2026-07-15T12:00:00Z")), 2 * HOUR_US);
    let midnight = berlin.moment(date(2026, 7, 1).at(0, 0, 0, 0)).unwrap();
    assert_eq!(midnight.to_string(), "2026-06-30T22:00:00Z");
    assert_eq!(berlin.text(midnight, "%Y-%m-%d %H:%M"), "2026-07-01 00:00");
}

#[test]
fn offsets_are_ahead_of_utc_with_a_plus() {
    for (text, minutes, name) in [
        ("+02:00", 120, "UTC+02:00"),
        ("-09:30", -570, "UTC-09:30"),
        ("+00:00", 0, "UTC"),
        ("UTC", 0, "UTC"),
    ] {
        assert_eq!(zone(text).ahead_us(0), minutes * 60_000_000, "{text}");
        assert_eq!(zone(text).to_string(), name);
    }
}

#[test]
fn what_could_be_meant_either_way_is_refused() {
    // POSIX counts UTC+2 to the west, people to the east.
    for text in [
        "UTC+2", "CET-1", "+2", "+0200", "+24:00", "+02:60", "+-2:00", "Berlin", "",
    ] {
        assert!(text.parse::<Zone>().is_err(), "{text}");
    }
}

#[test]
fn the_zone_of_the_machine_is_asked_for_by_name() {
    if let Ok(local) = "local".parse::<Zone>() {
        assert!(!local.to_string().is_empty());
    }
}
