//! Days of the 1998 World Cup's web site have their published rates.

use hotset_workload::{Generator as _, Load, WorldCup, WorldCupDay, Zipf};

/// A day with small files.
fn day(name: &str, scale: f64) -> WorldCup {
    WorldCup {
        day: name.parse().expect("a day"),
        scale,
        files: Zipf::new(0.9, 100, 1 << 20, Load::new(1, 1.0)),
    }
}

/// Requests by minute of the day.
fn by_minute(of: &WorldCup) -> Vec<u64> {
    let trace = of.generate(3).expect("a trace");
    let mut counts = vec![0; 1440];
    for time_us in &trace.requests.time_us {
        let minute = (time_us - of.day.start_us()) / 60_000_000;
        counts[minute as usize] += 1;
    }
    counts
}

#[test]
fn days_are_those_of_the_published_sum() {
    let all: Vec<(&str, WorldCupDay)> = WorldCupDay::all().collect();
    assert_eq!(all.len(), 88);
    let sum: u64 = all.iter().map(|(_, day)| day.requests).sum();
    assert_eq!(sum, 1_352_804_107);
    let (_, busiest) = all
        .iter()
        .find(|(name, _)| *name == "1998-06-30")
        .expect("a day");
    assert_eq!(busiest.requests, 75_207_657);
    // 30 June 1998 00:00:00 UTC.
    assert_eq!(busiest.start_us(), 899_164_800_000_000);
}

#[test]
fn the_busiest_day_has_its_minutes_and_others_their_peak() {
    for name in ["1998-06-30", "1998-05-01"] {
        let of = day(name, 0.002);
        let counts = by_minute(&of);
        let sum: u64 = counts.iter().sum();
        assert_eq!(sum, of.requests(), "{name}");
        let most = counts.iter().max().copied().unwrap_or_default() as f64;
        let wanted = of.day.peak_minute as f64 * of.scale;
        assert!(
            (most - wanted).abs() <= 1.0 + 0.01 * wanted,
            "{name}: {most} {wanted}"
        );
    }
    // 00:00 has 17,613 of 75,207,657.
    let counts = by_minute(&day("1998-06-30", 0.002));
    assert_eq!(counts[0], 35);
}

#[test]
fn what_is_no_day_and_no_share_is_refused() {
    let refused = "1998-07-27".parse::<WorldCupDay>();
    assert!(refused.is_err_and(|error| error.contains("1998-07-26")));
    for scale in [0.0, 1.5, f64::NAN, 1e-12] {
        assert!(day("1998-06-30", scale).generate(1).is_err(), "{scale}");
    }
}
