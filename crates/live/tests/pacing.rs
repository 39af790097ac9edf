//! In which order, and when, files are placed.

use hotset_live::{Pace, Pacing, Workplace};
use std::time::Duration;

/// Files take so many milliseconds each, and are in memory or not.
#[derive(Default)]
struct Machine {
    now_ms: u64,
    placed: Vec<&'static str>,
}

type File = (&'static str, u64, bool);

impl Workplace for Machine {
    type File = File;

    fn now(&self) -> Duration {
        Duration::from_millis(self.now_ms)
    }

    fn is_cached(&mut self, &(_, _, is_cached): &File) -> bool {
        is_cached
    }

    fn place(&mut self, (name, took_ms, _): File) -> bool {
        self.now_ms += took_ms;
        self.placed.push(name);
        name != "refused"
    }
}

#[test]
fn at_once_everything_is_placed_in_its_order() {
    let (mut pacing, mut machine) = (Pacing::default(), Machine::default());
    let files = vec![("a", 900, false), ("refused", 50, true), ("b", 900, true)];
    let took = pacing.place(Pace::AtOnce, files, &mut machine);
    assert_eq!(machine.placed, ["a", "refused", "b"]);
    assert_eq!(
        took,
        Duration::from_millis(1800),
        "what failed does not count"
    );
    assert_eq!(pacing.wait(machine.now()), None);
}

#[test]
fn what_is_in_memory_comes_first_in_slices_of_half_a_second() {
    let (mut pacing, mut machine) = (Pacing::default(), Machine::default());
    let cached = [("b", 300, true), ("c", 300, true), ("d", 300, true)];
    let files = [vec![("a", 10, false)], cached.to_vec()].concat();
    pacing.place(Pace::Unhurried, files, &mut machine);
    assert_eq!(machine.placed, ["b", "c"], "600 ms are more than a slice");
    assert_eq!(pacing.wait(machine.now()), Some(Duration::ZERO));
    pacing.place(
        Pace::Unhurried,
        vec![("a", 10, false), ("d", 300, true)],
        &mut machine,
    );
    assert_eq!(machine.placed, ["b", "c", "d", "a"]);
    assert!(!pacing.is_unfinished());
}

#[test]
fn files_are_read_in_a_fifth_of_the_time() {
    let (mut pacing, mut machine) = (Pacing::default(), Machine::default());
    let mut files: Vec<File> = (0..20).map(|_| ("a", 50, false)).collect();
    while !files.is_empty() {
        let before = machine.placed.len();
        pacing.place(Pace::Unhurried, files.clone(), &mut machine);
        let placed = machine.placed.len() - before;
        assert_eq!(placed, 2, "a turn of 100 ms");
        files.drain(..placed);
        let wait = pacing.wait(machine.now());
        assert_eq!(
            wait,
            (!files.is_empty()).then(|| Duration::from_millis(400))
        );
        // Who comes back too early reads nothing.
        let before = machine.placed.len();
        pacing.place(Pace::Unhurried, files.clone(), &mut machine);
        assert_eq!(machine.placed.len(), before);
        machine.now_ms += 400;
    }
    assert_eq!(machine.now_ms, 5000, "one second of reading");
}
