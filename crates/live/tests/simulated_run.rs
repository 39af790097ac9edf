//! What `hotset run` decides in simulated time.

use hotset_live::{Change, Pressure, RunSite, RunSpec, SimulatedFile, SimulatedRun};
use hotset_plan::SiteTerms;
use hotset_scenario::{Objective, Profile, Site};
use hotset_trace::read::ReadOptions;
use std::collections::BTreeSet;
use std::time::Duration;

const PAGE: u64 = 4096;
const INTERVAL: Duration = Duration::from_secs(10);

fn site(name: &str, terms: SiteTerms) -> RunSite {
    RunSite {
        name: name.to_owned(),
        terms,
        targets: Vec::new(),
        store: Profile::named_or_file("hdd").unwrap(),
        client_share: Site::CLIENT_SHARE,
    }
}

/// Of which held files may take so many pages.
fn run(sites: Vec<RunSite>, held_pages: u64, churn_bytes: Option<u64>) -> SimulatedRun {
    let spec = RunSpec {
        objective: Objective::Mean,
        sites,
        folders: Vec::new(),
        owners: Vec::new(),
        logs: Vec::new(),
        reading: ReadOptions::default(),
        memory: Profile::named_or_file("memory").unwrap(),
        memory_bytes: held_pages * PAGE * 4 / 3 + PAGE,
        pressure: Pressure::Machine,
        most_files: 1_000,
        interval: INTERVAL,
        churn_bytes,
    };
    SimulatedRun::start(spec).unwrap()
}

fn shop() -> Vec<RunSite> {
    vec![site("shop", SiteTerms::default())]
}

/// Reads files of a page so often.
fn read(run: &mut SimulatedRun, site: u16, reads: &[(u32, u32)], now: Duration) {
    for &(number, count) in reads {
        let file = SimulatedFile {
            number,
            site,
            size_bytes: PAGE,
        };
        (0..count).for_each(|_| run.read(file, now));
    }
}

/// What is held after an interval ends at `now`, where these were held before.
fn held(run: &mut SimulatedRun, before: &BTreeSet<u64>, now: Duration) -> BTreeSet<u64> {
    let mut held = before.clone();
    for change in run.choose(now).unwrap() {
        match change {
            Change::Drop { holding, .. } => assert!(held.remove(&holding.identity.inode)),
            Change::Place { identity, .. } => assert!(held.insert(identity.inode)),
            Change::Share { .. } | Change::LeaveOut { .. } => panic!("{change:?}"),
        }
    }
    held
}

#[test]
fn what_is_read_most_is_held_and_what_takes_its_place_is_held_for_it() {
    let mut run = run(shop(), 2, None);
    assert!(run.choose(INTERVAL / 2).unwrap().is_empty(), "too soon");
    read(&mut run, 0, &[(1, 9), (2, 7), (3, 1)], Duration::ZERO);
    let first = held(&mut run, &BTreeSet::new(), INTERVAL);
    assert_eq!(first, [1, 2].into());
    let mut last = first;
    for interval in 1..=6 {
        read(&mut run, 0, &[(4, 90), (5, 70)], INTERVAL * interval);
        last = held(&mut run, &last, INTERVAL * (interval + 1));
    }
    assert_eq!(last, [4, 5].into());
}

#[test]
fn nothing_is_chosen_where_nothing_was_read() {
    let mut run = run(shop(), 2, None);
    assert!(run.choose(INTERVAL).unwrap().is_empty());
}

#[test]
fn no_more_is_moved_in_a_minute_than_may_be() {
    let mut run = run(shop(), 8, Some(3 * PAGE));
    let all: Vec<(u32, u32)> = (0..8).map(|file| (file, 20 - file)).collect();
    read(&mut run, 0, &all, Duration::ZERO);
    let first = held(&mut run, &BTreeSet::new(), INTERVAL);
    assert_eq!(first.len(), 3);
}

#[test]
fn what_a_site_reserves_is_not_taken_by_another() {
    let reserved = SiteTerms {
        reservation_bytes: 2 * PAGE,
        ..SiteTerms::default()
    };
    let sites = vec![site("quiet", reserved), site("loud", SiteTerms::default())];
    let mut run = run(sites, 3, None);
    read(&mut run, 0, &[(1, 2), (2, 2)], Duration::ZERO);
    read(&mut run, 1, &[(11, 99), (12, 98), (13, 97)], Duration::ZERO);
    let held = held(&mut run, &BTreeSet::new(), INTERVAL);
    assert_eq!(held, [1, 2, 11].into());
}
