//! A stored state of what was learnt goes on, and can be stored again, or is refused in words.
#![no_main]

use hotset_plan::{Budget, Catalogue, FileName, Online, OnlineState, ProfileCosts, Values, select};
use hotset_scenario::{FilePath, Profile};
use libfuzzer_sys::fuzz_target;

const OBJECTS: u32 = 8;

fuzz_target!(|data: &[u8]| {
    let Ok(state) = serde_json::from_slice::<OnlineState>(data) else {
        return;
    };
    let mut ids = 0..;
    match state.restore(|_| ids.next().expect("ids do not end")) {
        Ok(online) => go_on(online),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

fn go_on(mut online: Online) {
    let files = Catalogue {
        sizes: &[5000; OBJECTS as usize],
        site_of_object: &[0; OBJECTS as usize],
        sites: &["site".to_owned()],
    };
    let profile = |name| Profile::builtin(name).expect("a built-in profile");
    let costs = ProfileCosts {
        memory: &profile("memory"),
        backing: &[profile("hdd")],
        files,
    };
    let values = Values::new(&files, &costs, &[]).expect("values");
    let budget = Budget {
        pages: 5,
        reserved_pages: &[0],
    };
    for access in 0..100u32 {
        let time_us = i64::from(access) * 1_000_000;
        if let Some(ranking) = online.renew(time_us, &values, budget) {
            assert!(select(&values, &ranking, budget).pages() <= 5);
        }
        online.observe(access * access % OBJECTS, time_us);
    }
    let name = |id: u32| FileName {
        site: "site".into(),
        path: FilePath::from(id.to_string().as_str()),
    };
    assert!(serde_json::to_string(&online.save(name)).is_ok());
}
