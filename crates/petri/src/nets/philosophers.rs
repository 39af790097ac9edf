//! The dining philosophers, who take both forks at once.

use super::entry::{Entry, Parameter, Values, count};
use crate::{Delay, Net, NetError, Page, PlaceId, Unit};

pub(super) const ENTRY: Entry = Entry {
    name: "philosophers",
    about: "philosophers who take both forks at once, think and eat for 1 ms",
    parameters: &[Parameter {
        least: 2.0,
        rule: "a whole number from 2 to 1000000",
        ..count("n", 5.0, "philosophers")
    }],
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let n = values.count("n");
    Net::build("philosophers", |page| {
        let forks: Vec<Unit> = (1..=n)
            .map(|it| page.unit(&format!("fork {it}"), 1))
            .collect();
        let mut eating = Vec::new();
        for it in 0..n as usize {
            let name = format!("philosopher {}", it + 1);
            let philosopher = page.page(&name, philosopher);
            page.connect(&philosopher.left, &forks[it]);
            page.connect(&philosopher.right, &forks[(it + 1) % forks.len()]);
            eating.push(philosopher.eating);
        }
        page.watch_utilisation("share eating", eating, n);
    })
}

/// What a philosopher's page shows.
struct Philosopher {
    left: Unit,
    right: Unit,
    eating: PlaceId,
}

fn philosopher(page: &mut Page<'_>) -> Philosopher {
    let left = page.unit_port("left fork");
    let right = page.unit_port("right fork");
    let thinking = page.unit("thinking", 1);
    let eating = page.unit("eating", 0);
    page.transition("sit down")
        .take(&thinking)
        .take(&left)
        .take(&right)
        .put(&eating)
        .delay(Delay::exponential(1e-3))
        .done();
    page.transition("get up")
        .take(&eating)
        .put(&left)
        .put(&right)
        .put(thinking.after(Delay::exponential(1e-3)))
        .done();
    Philosopher {
        left,
        right,
        eating: eating.id,
    }
}
