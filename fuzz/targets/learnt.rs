//! What a daemon has learnt goes on with any scenario, and can be written down again, or is refused in words.
#![no_main]

use hotset_live::{Daemon, DaemonEvent, DaemonSite, DaemonSpec, Pressure, Saved};
use hotset_plan::SiteTerms;
use hotset_scenario::{Objective, Profile};
use hotset_trace::read::ReadOptions;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|data: &[u8]| {
    let Ok(saved) = serde_json::from_slice::<Saved>(data) else {
        return;
    };
    let told = &mut |event: DaemonEvent| {
        if let DaemonEvent::LearnsAnew(why) = event {
            assert!(!why.is_empty());
        }
    };
    let Ok(mut daemon) = Daemon::start(spec(), Some(saved), told) else {
        return;
    };
    assert!(daemon.current().files.is_empty(), "nothing is held yet");
    daemon.look(told).expect("there is no log to fail on");
    let written = serde_json::to_string(&daemon.save()).expect("what was learnt is JSON");
    let again = serde_json::from_str(&written).expect("what was written is read");
    Daemon::start(spec(), Some(again), &mut |event| {
        assert!(
            !matches!(event, DaemonEvent::LearnsAnew(_)),
            "what was written goes on"
        );
    })
    .expect("it starts as before");
});

fn spec() -> DaemonSpec {
    let profile = |name| Profile::builtin(name).expect("a built-in profile");
    DaemonSpec {
        objective: Objective::default(),
        sites: vec![DaemonSite {
            name: "shop".into(),
            terms: SiteTerms::default(),
            targets: Vec::new(),
            store: profile("hdd"),
        }],
        folders: Vec::new(),
        owners: Vec::new(),
        logs: vec!["/nonexistent/access.log".into()],
        reading: ReadOptions::default(),
        memory: profile("memory"),
        memory_bytes: 1 << 20,
        pressure: Pressure::Machine,
        most_files: 1_000,
        interval: Duration::from_secs(1),
        churn_bytes: None,
    }
}
