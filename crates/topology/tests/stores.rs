//! Stores of a scenario, and the disks underneath.

use std::path::Path;

use hotset_scenario::{DeviceKind, Scenario};
use hotset_topology::Stores;
use hotset_trace::Trace;

const SCENARIO: &str = r#"
[[node]]
name = "web"
memory = "1GiB"

[[store]]
name = "disk"
profile = "hdd"
kind = "ext4"
disk = { kind = "seeking", rate = "39MB" }
"#;

#[test]
fn a_seeking_disk_takes_time_between_two_requests_as_the_labs_does() {
    let scenario = Scenario::parse(SCENARIO, Path::new("s.toml")).expect("a scenario");
    let trace = Trace {
        sites: vec!["shop".to_owned()],
        ..Trace::default()
    };
    let stores = Stores::of(&scenario, &trace).expect("stores");
    let device = stores.stores[0].profile.device.as_ref().expect("a device");
    let DeviceKind::Drive(drive) = &device.kind else {
        panic!("{device:?}")
    };
    assert!((drive.bytes_per_s - 39e6).abs() < 1.0);
    // Sectors pass under the head meanwhile, and no whole turn.
    assert!((10.0..1000.0).contains(&drive.overhead_us), "{drive:?}");
}

#[test]
fn a_seeking_disk_has_the_cache_of_writes_that_the_scenario_gives_it() {
    let of = |text: &str| {
        let scenario = Scenario::parse(text, Path::new("s.toml")).expect("a scenario");
        let trace = Trace {
            sites: vec!["shop".to_owned()],
            ..Trace::default()
        };
        let stores = Stores::of(&scenario, &trace).expect("stores");
        let device = stores.stores[0].profile.device.as_ref();
        device.map(|device| device.kind.write_cache_bytes())
    };
    assert_eq!(of(SCENARIO), Some(0));
    let rate = "rate = \"39MB\"";
    let cached = SCENARIO.replace(rate, &format!("{rate}, write_cache = \"8MiB\""));
    assert_eq!(of(&cached), Some(8 << 20));
}

#[test]
fn a_file_that_is_too_large_to_be_followed_is_refused() {
    let scenario = Scenario::parse(SCENARIO, Path::new("s.toml")).expect("a scenario");
    let mut trace = Trace {
        sites: vec!["shop".to_owned()],
        ..Trace::default()
    };
    (trace.objects.site, trace.objects.size) = (vec![0, 0], vec![4096, 1 << 40]);
    let Err(error) = Stores::of(&scenario, &trace) else {
        panic!("a TiB is followed");
    };
    let error = error.to_string();
    assert!(
        error.contains("store `disk`: a file of 1099511627776 bytes is too large to be followed"),
        "{error}"
    );
}
