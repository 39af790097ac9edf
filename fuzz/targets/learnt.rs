//! What a daemon has learnt goes on with any scenario, and can be written down again, or is refused in words.
#![no_main]

use hotset_live::{Checkpoint, Pressure, RunEvent, RunSite, RunSpec, Runner};
use hotset_plan::SiteTerms;
use hotset_scenario::{Objective, Profile};
use hotset_trace::read::ReadOptions;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|data: &[u8]| {
    let Ok(saved) = serde_json::from_slice::<Checkpoint>(data) else {
        return;
    };
    let report = &mut |event: RunEvent| {
        if let RunEvent::LearnsAnew(why) = event {
            assert!(!why.is_empty());
        }
    };
    let Ok(mut runner) = Runner::start(spec(), Some(saved), report) else {
        return;
    };
    assert!(runner.current().files.is_empty(), "nothing is held yet");
    runner.look(report).expect("there is no log to fail on");
    let written = serde_json::to_string(&runner.save()).expect("what was learnt is JSON");
    let again = serde_json::from_str(&written).expect("what was written is read");
    Runner::start(spec(), Some(again), &mut |event| {
        assert!(
            !matches!(event, RunEvent::LearnsAnew(_)),
            "what was written goes on"
        );
    })
    .expect("it starts as before");
});

fn spec() -> RunSpec {
    let profile = |name| Profile::builtin(name).expect("a built-in profile");
    RunSpec {
        objective: Objective::default(),
        sites: vec![RunSite {
            name: "shop".into(),
            terms: SiteTerms::default(),
            targets: Vec::new(),
            store: profile("hdd"),
            client_share: 0.1,
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
