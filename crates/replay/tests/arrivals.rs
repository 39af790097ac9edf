//! Requests are sent at their times.

use hotset_test_support::{alone, skip};
use std::fs;

use crate::support::{Server, ok, schedule};
use rustix::process::setpriority_process;

const RATE: usize = 5000;

/// More of the processors' time than this in others' hands shows in the arrivals.
const OTHERS_SHARE_MAX: f64 = 0.05;

/// Processor time in ticks, of all processors and of what others than this process use (proc(5)).
#[derive(Clone, Copy)]
struct Ticks {
    all: u64,
    others: u64,
}

impl Ticks {
    fn now() -> Self {
        let numbers = |text: &str| -> Vec<u64> {
            let words = text.split_whitespace();
            words.map(|word| word.parse().unwrap_or(0)).collect()
        };
        let machine = fs::read_to_string("/proc/stat").unwrap();
        // cpu user nice system idle iowait irq softirq steal
        let machine = numbers(machine.lines().next().unwrap());
        let process = fs::read_to_string("/proc/self/stat").unwrap();
        // What follows the name is field 3; 14 and 15 are utime and stime.
        let process = numbers(process.rsplit_once(')').unwrap().1);
        let all: u64 = machine[1..9].iter().sum();
        let busy = all - machine[4] - machine[5];
        Self {
            all,
            others: busy.saturating_sub(process[11] + process[12]),
        }
    }

    fn others_share_since(self, before: Self) -> f64 {
        let others = self.others.saturating_sub(before.others) as f64;
        others / (self.all - before.all).max(1) as f64
    }
}

/// On a machine that is busy with other things somebody else's work shows in the arrivals: others are
/// kept off by priority, where that is allowed, and the best of some seconds is the client's own. Where no second
/// was without others there is nothing to be seen of the client.
#[test]
fn arrivals_are_within_a_millisecond_at_5000_requests_a_second() {
    // Other tests' servers would be in its way, and it in theirs.
    alone();
    let _ = setpriority_process(None, -15);
    let server = Server::answering(|_| ok(10));
    let mut best_us = u64::MAX;
    let mut least_share = f64::INFINITY;
    for _ in 0..20 {
        let before = Ticks::now();
        let replayed = server.replay(&schedule(50, RATE / 50, 1_000_000 / RATE as i64));
        assert_eq!(replayed.total.answered(), RATE as u64);
        // The others were due while their connection waited for an earlier response: few, if the server gets to answer.
        if replayed.lateness_us.len() > RATE as u64 / 2 {
            best_us = best_us.min(replayed.lateness_us.value_at_quantile(0.99));
        }
        if best_us <= 1000 {
            return;
        }
        least_share = least_share.min(Ticks::now().others_share_since(before));
    }
    if least_share > OTHERS_SHARE_MAX {
        skip(format_args!(
            "others used {:.0} % of the processors",
            least_share * 100.0
        ));
        return;
    }
    panic!("99 % of the arrivals are within {best_us} µs only");
}
