//! The mechanics of the seeking disk, on a clock of the test's own.

use hotset_models::disk::{Drive, DriveModel, Elevator};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const CAPACITY: u64 = 8 << 30;
const PAGE: u64 = 4096;

fn drive() -> Drive {
    Drive::new(DriveModel::default(), CAPACITY)
}

/// Reads at random places, each a moment after the last; returns times in milliseconds.
fn random_reads(count: usize) -> Vec<f64> {
    let mut drive = drive();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut now = 0;
    let mut times = Vec::new();
    for _ in 0..count {
        let place = random.random_range(0..CAPACITY / PAGE) * PAGE;
        let done = drive.read(now, place, PAGE).done_ns;
        times.push((done - now) as f64 / 1e6);
        now = done + 50_000;
    }
    times
}

#[test]
fn random_reads_take_an_average_seek_half_a_turn_and_the_transfer() {
    let times = random_reads(20_000);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let expected = 8.5 + 60_000.0 / 7200.0 / 2.0 + 4096.0 / 39e3;
    assert!((mean - expected).abs() < 0.1, "{mean} ms, not {expected}");
}

#[test]
fn no_random_read_takes_longer_than_full_stroke_and_a_turn() {
    let longest = random_reads(20_000).into_iter().fold(0.0, f64::max);
    assert!(
        longest < 0.8 + 7.7 * 15.0 / 8.0 + 60_000.0 / 7200.0 + 0.2,
        "{longest}"
    );
}

#[test]
fn sequential_reads_run_at_the_media_rate_though_the_host_takes_time_between_them() {
    let mut drive = drive();
    let (mut now, chunk, count) = (0, 128 << 10, 400);
    for part in 0..count {
        now = drive.read(now, part * chunk, chunk).done_ns + 300_000;
    }
    let rate = (count * chunk) as f64 / (now as f64 / 1e9);
    assert!((38e6..39.1e6).contains(&rate), "{rate}");
}

#[test]
fn a_pause_longer_than_the_buffer_lasts_costs_at_most_a_turn() {
    let mut drive = drive();
    let first = drive.read(0, 0, 128 << 10).done_ns;
    let later = first + 1_000_000_000;
    let service = drive.read(later, 128 << 10, 4 << 20);
    let transfer_ns = (3 << 20) as f64 / 39e6 * 1e9;
    let took = (service.done_ns - later) as f64;
    assert!(
        took >= transfer_ns * 0.99,
        "what was not in the buffer has to pass: {took}"
    );
    assert!(took <= transfer_ns + 60e9 / 7200.0 + 1e6, "{took}");
}

#[test]
fn what_was_read_ahead_is_there_at_once() {
    let mut drive = drive();
    let first = drive.read(0, 0, 128 << 10).done_ns;
    let service = drive.read(first + 100_000_000, 256 << 10, PAGE);
    assert!(service.from_buffer);
    assert_eq!(service.done_ns, first + 100_000_000);
}

#[test]
fn what_was_overwritten_elsewhere_is_not_in_the_buffer() {
    let mut drive = drive();
    let first = drive.read(0, 0, 128 << 10).done_ns;
    let written = drive.write(first, CAPACITY / 2, PAGE).done_ns;
    assert!(!drive.read(written, 128 << 10, PAGE).from_buffer);
}

#[test]
fn the_same_place_again_waits_for_a_whole_turn() {
    let mut drive = drive();
    let first = drive.write(0, 0, PAGE).done_ns;
    let again = drive.write(first + 20_000_000, 0, PAGE);
    let turns = (again.done_ns - first) as f64 / (60e9 / 7200.0);
    assert!((turns - turns.round()).abs() < 0.01, "{turns}");
}

#[test]
fn the_elevator_goes_one_way_and_starts_again_at_the_first() {
    let mut elevator = Elevator::default();
    for place in [50, 10, 90, 70] {
        elevator.push(0, place, place);
    }
    let mut head = 60;
    let mut order = Vec::new();
    while let Some(place) = elevator.pop(1, head) {
        head = place;
        order.push(place);
    }
    assert_eq!(order, [70, 90, 10, 50]);
    assert!(elevator.is_empty());
}

#[test]
fn a_request_that_has_waited_half_a_second_goes_before_nearer_ones() {
    let mut elevator = Elevator::default();
    elevator.push(0, 10, "old");
    elevator.push(400_000_000, 100, "near");
    assert_eq!(elevator.pop(500_000_001, 100), Some("old"));
    assert_eq!(elevator.len(), 1);
}

#[test]
fn without_a_deadline_nearer_requests_go_before_old_ones() {
    let mut elevator = Elevator::without_deadline();
    elevator.push(0, 10, "old");
    elevator.push(400_000_000, 100, "near");
    assert_eq!(elevator.pop(9_000_000_000, 100), Some("near"));
    assert_eq!(elevator.pop(9_000_000_000, 100), Some("old"));
}

#[test]
fn requests_for_one_place_are_served_in_order_of_arrival() {
    let mut elevator = Elevator::default();
    elevator.push(0, 10, 1);
    elevator.push(0, 10, 2);
    assert_eq!(
        (elevator.pop(0, 0), elevator.pop(0, 10), elevator.pop(0, 10)),
        (Some(1), Some(2), None)
    );
}
