//! Durations as people write them, and the keys of scenarios that have one.

use std::path::Path;
use std::time::Duration;

use hotset_scenario::{Scenario, parse_duration};

#[test]
fn durations_are_read_with_one_unit_or_several() {
    for (text, nanos) in [
        ("500ms", 500_000_000),
        ("2.5us", 2_500),
        ("2.5µs", 2_500),
        ("40 ns", 40),
        ("0s", 0),
        ("90s", 90_000_000_000),
        ("1h30m", 5_400_000_000_000),
        ("2d", 172_800_000_000_000),
        // More digits than a nanosecond has, as sweeps write them.
        ("33.3333333333us", 33_333),
        ("1.33333333333min", 80_000_000_000),
        ("0.33333333333h", 1_199_999_999_988),
    ] {
        let duration = Duration::from_nanos(nanos);
        assert_eq!(parse_duration(text), Ok(duration), "{text}");
    }
    for text in ["", "10", "s", "-5s", "1e300s", "1 month", "soon"] {
        let error = parse_duration(text).unwrap_err();
        assert!(error.contains("with its unit"), "{text}: {error}");
    }
}

#[test]
fn keys_of_scenarios_take_durations_up_to_an_hour_in_all_units() {
    let parse = |key: &str, time: &str| {
        let key = format!("{key} = \"{time}\"\n");
        let of = |table: &str| {
            if key.starts_with(table) {
                key.as_str()
            } else {
                ""
            }
        };
        let text = format!(
            "[[node]]\nname = \"web\"\nmemory = \"1GiB\"\n\
             [[link]]\nnode = \"web\"\nrate = \"1Gbit\"\n{}\
             [[client]]\nname = \"crowd\"\nasks = \"web\"\nclients = 8\n{}{}",
            of("delay"),
            of("think"),
            of("timeout"),
        );
        Scenario::parse(&text, Path::new("s.toml")).map_err(|it| it.to_string())
    };
    for key in ["delay", "think", "timeout"] {
        for time in ["1h", "30m", "1m30s", "5ms"] {
            parse(key, time).unwrap_or_else(|error| panic!("{key} = {time}: {error}"));
        }
        let error = parse(key, "61m").unwrap_err();
        assert!(error.contains("up to an hour"), "{key}: {error}");
    }
    assert_eq!(
        parse("delay", "1h")
            .unwrap()
            .link_of("web")
            .unwrap()
            .delay_ns,
        3_600_000_000_000
    );
}
