//! What a runner chooses as traffic changes, without anything being held.

use hotset_live::{
    Change, Choice, Payoff, Pressure, RunEvent, RunSite, RunSpec, Runner, SimulatedFile,
    SimulatedRun, SiteFolder, State,
};
use hotset_plan::SiteTerms;
use hotset_scenario::{Objective, Profile, Target};
use hotset_trace::read::ReadOptions;
use proptest::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const PAGE: u64 = 4096;

/// Longer than a loaded machine takes for what a test does in between, so that an interval is one.
const INTERVAL: Duration = Duration::from_millis(30);

fn name(site: usize) -> String {
    format!("s{site}.test")
}

/// Of the memory for files, held ones may take three quarters.
fn memory_for(held_bytes: u64) -> u64 {
    held_bytes * 4 / 3 + PAGE
}

/// A site: what it is owed, and how many files of how many pages it has.
#[derive(Clone)]
struct Site {
    terms: SiteTerms,
    targets: Vec<Target>,
    pages: Vec<u64>,
}

impl Site {
    fn of(files: usize) -> Site {
        Site {
            terms: SiteTerms::default(),
            targets: Vec::new(),
            pages: vec![1; files],
        }
    }

    fn with_target(self, target: &str) -> Site {
        Site {
            targets: vec![target.parse().unwrap()],
            ..self
        }
    }
}

/// Sites `s0.test`, `s1.test`, … whose log is followed.
struct Node {
    folder: TempDir,
    runner: Runner,
    clients: u32,
}

impl Node {
    fn new(sites: &[Site], held_bytes: u64, churn_bytes: Option<u64>) -> Node {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("access.log"), "").unwrap();
        fs::write(folder.path().join("pressure"), pressure(0)).unwrap();
        for (number, site) in sites.iter().enumerate() {
            let root = folder.path().join(name(number));
            fs::create_dir(&root).unwrap();
            for (file, pages) in site.pages.iter().enumerate() {
                let file = fs::File::create(root.join(format!("{file}.html"))).unwrap();
                file.set_len(pages * PAGE).unwrap();
            }
        }
        let spec = spec(&folder, sites, memory_for(held_bytes), churn_bytes);
        let runner = Runner::start(spec, None, &mut |_| {}).unwrap();
        let mut node = Node {
            folder,
            runner,
            clients: 0,
        };
        node.runner.look(&mut |_| {}).unwrap();
        node
    }

    /// Logs so many requests for a file of a site, each of another client.
    fn log(&mut self, requests: impl IntoIterator<Item = (usize, usize, u32)>) {
        let path = self.folder.path().join("access.log");
        let mut text = String::new();
        for (site, file, count) in requests {
            for _ in 0..count {
                self.clients = self.clients.wrapping_add(1);
                let [_, a, b, c] = self.clients.to_be_bytes();
                text += &format!(
                    "s{site}.test:80 10.{a}.{b}.{c} - - [22/Nov/2026:10:05:03 +0000] \"GET /{file}.html HTTP/1.1\" 200 4096 \"-\" \"agent\"\n"
                );
            }
        }
        let mut log = OpenOptions::new().append(true).open(path).unwrap();
        log.write_all(text.as_bytes()).unwrap();
    }

    /// Lets an interval pass; what is chosen at its end.
    fn interval(&mut self) -> Choice {
        self.interval_telling(&mut |_| {})
    }

    fn interval_telling(&mut self, tell: &mut dyn FnMut(RunEvent)) -> Choice {
        self.runner.look(&mut |_| {}).unwrap();
        thread::sleep(INTERVAL);
        let choice = self.runner.choose(tell).unwrap();
        choice.expect("it was asked for files")
    }

    /// So many intervals with these requests, whose choices are held; what is told of whether that pays.
    fn held_intervals(&mut self, count: usize, requests: &[(usize, usize, u32)]) -> Vec<Payoff> {
        let mut told = Vec::new();
        for _ in 0..count {
            self.log(requests.iter().copied());
            let choice = self.interval_telling(&mut |event| {
                if let RunEvent::Payoff(payoff) = event {
                    told.push(payoff);
                }
            });
            self.runner.note_held(&state_of(&choice));
        }
        told
    }

    fn set_pressure(&self, percent: u32) {
        fs::write(self.folder.path().join("pressure"), pressure(percent)).unwrap();
    }
}

/// What there is to be read where all that was chosen is held, each file a page.
fn state_of(choice: &Choice) -> State {
    let file = |file: &hotset_live::WantedFile| {
        let identity = json!({
            "device": 1, "inode": 1, "size_bytes": PAGE, "mtime_ns": 1, "ctime_ns": 2,
        });
        json!({ "site": file.site, "path": file.path, "held": identity })
    };
    let state = json!({
        "version": State::VERSION, "guardian": { "pid": 1, "started_ticks": 1, "boot": "none" }, "workers": [], "placer": "pin",
        "server": null, "folders": [], "owners": [], "budget_bytes": choice.memory_bytes, "charge": null,
        "files": Vec::from_iter(choice.files.iter().map(file)),
    });
    serde_json::from_value(state).unwrap()
}

fn pressure(percent: u32) -> String {
    format!(
        "some avg10={percent}.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
    )
}

fn spec(folder: &TempDir, sites: &[Site], memory_bytes: u64, churn_bytes: Option<u64>) -> RunSpec {
    let site = |(number, site): (usize, &Site)| RunSite {
        name: name(number),
        terms: site.terms,
        targets: site.targets.clone(),
        store: Profile::named_or_file("hdd").unwrap(),
        client_share: hotset_scenario::Site::CLIENT_SHARE,
    };
    let root = |number: usize| SiteFolder {
        site: name(number),
        prefix: "/".into(),
        folder: folder.path().join(name(number)),
    };
    RunSpec {
        objective: Objective::Targets,
        sites: sites.iter().enumerate().map(site).collect(),
        folders: (0..sites.len()).map(root).collect(),
        owners: Vec::new(),
        logs: vec![folder.path().join("access.log")],
        reading: ReadOptions::default(),
        memory: Profile::named_or_file("memory").unwrap(),
        memory_bytes,
        pressure: Pressure::Group(folder.path().join("pressure")),
        most_files: 1_000,
        interval: INTERVAL,
        churn_bytes,
    }
}

/// The numbers of the files that are chosen of a site.
fn chosen(decision: &Choice, site: &str) -> BTreeSet<usize> {
    let own = decision.files.iter().filter(|file| file.site == site);
    let number = |path: &[u8]| {
        let text = String::from_utf8_lossy(path).into_owned();
        text.trim_start_matches('/')
            .trim_end_matches(".html")
            .parse()
            .unwrap()
    };
    own.map(|file| number(&file.path.0)).collect()
}

/// A hundred files from `first` on, as popular as Zipf has it.
fn zipf(first: usize) -> impl Iterator<Item = (usize, usize, u32)> {
    (0..100).map(move |rank| (0, first + rank, 200 / (rank as u32 + 1) + 1))
}

/// The share of such requests that are for chosen files.
fn hit_ratio(held: &BTreeSet<usize>, first: usize) -> f64 {
    let all: u32 = zipf(first).map(|(_, _, requests)| requests).sum();
    let hits: u32 = zipf(first)
        .filter(|(_, file, _)| held.contains(file))
        .map(|(_, _, requests)| requests)
        .sum();
    f64::from(hits) / f64::from(all)
}

#[test]
fn other_files_that_are_popular_at_once_are_held_after_two_intervals_within_the_churn() {
    const HELD: u64 = 30;
    let churn_bytes = 5 * HELD * PAGE / 2;
    let mut node = Node::new(&[Site::of(200)], HELD * PAGE, Some(churn_bytes));
    let mut moved_bytes = 0;
    for _ in 0..8 {
        node.log(zipf(0));
        moved_bytes += node.interval().moved_bytes;
    }
    let mut decisions = Vec::new();
    for _ in 0..2 {
        node.log(zipf(100));
        let decision = node.interval();
        moved_bytes += decision.moved_bytes;
        decisions.push(decision);
    }
    let best = hit_ratio(&(100..100 + HELD as usize).collect(), 100);
    let achieved = hit_ratio(&chosen(&decisions[1], "s0.test"), 100);
    assert!(achieved >= 0.9 * best, "{achieved} of {best}");
    // The test takes far less than another minute.
    assert!(moved_bytes <= 2 * churn_bytes, "{moved_bytes}");
}

#[test]
fn a_simulated_run_chooses_what_a_runner_chooses() {
    const HELD: u64 = 10;
    let site = [Site::of(100)];
    let mut node = Node::new(&site, HELD * PAGE, None);
    let spec = spec(&node.folder, &site, memory_for(HELD * PAGE), None);
    let mut simulated = SimulatedRun::start(spec).unwrap();
    for (_, number, count) in zipf(0) {
        let file = SimulatedFile {
            number: number as u32,
            site: 0,
            size_bytes: PAGE,
        };
        (0..count).for_each(|_| simulated.read(file, Duration::ZERO));
    }
    node.log(zipf(0));
    let changes = simulated.choose(INTERVAL).unwrap();
    let placed = changes.iter().map(|change| match change {
        Change::Place { identity, .. } => identity.inode as usize,
        other => panic!("{other:?}"),
    });
    assert_eq!(
        placed.collect::<BTreeSet<_>>(),
        chosen(&node.interval(), "s0.test")
    );
}

#[test]
fn what_is_held_shrinks_when_memory_is_short_and_grows_back_step_by_step() {
    let mut node = Node::new(&[Site::of(100)], 64 * PAGE, None);
    node.log(zipf(0));
    let whole = node.interval();
    assert_eq!(whole.files.len(), 64);
    assert!(node.runner.relieve().is_none(), "nobody waits for memory");

    node.set_pressure(50);
    let less = node.runner.relieve().expect("memory is short");
    assert_eq!(less.files, whole.files[..48], "the most valuable stay");
    assert!(
        node.runner.relieve().is_none(),
        "what was given back has yet to show"
    );

    node.set_pressure(0);
    let mut before = less.files.len();
    for _ in 0..10 {
        node.log(zipf(0));
        let held = node.interval().files.len();
        assert!(held <= before + 64 / 16 + 1, "{held} after {before}");
        before = held;
    }
    assert_eq!(before, 64);
}

#[test]
fn holding_saves_nothing_where_everything_fits_into_memory() {
    let mut node = Node::new(&[Site::of(100)], 200 * PAGE, None);
    let told = node.held_intervals(13, &Vec::from_iter(zipf(0)));
    let [payoff] = told[..] else {
        panic!("it is told once: {told:?}");
    };
    assert_eq!((payoff.pays, payoff.intervals), (Some(false), 10));
    let figures = node.runner.figures();
    let savings = figures.savings.as_ref().unwrap();
    assert_eq!(savings.followed_share, 1.0);
    assert_eq!(savings.total.all.reads.value, 0.0);
    assert_eq!(savings.total.all.us.value, 0.0);
    let (last, reads) = (savings.total.last, figures.last().reads);
    assert_eq!(last.hit_ratio_alone(reads).unwrap().value, 1.0);
    assert_eq!(last.hit_ratio(reads), last.hit_ratio_alone(reads));
    // The first interval read each file for the first time.
    assert_eq!(savings.total.all.missed_alone.value, 100.0);
}

#[test]
fn it_is_told_when_holding_stops_to_pay_and_when_it_pays_again() {
    let mut node = Node::new(&[Site::of(200)], 30 * PAGE, None);
    // Each file is asked for by turns, so that none that is not held is in memory when it is asked for again.
    let many: Vec<_> = (0..3)
        .flat_map(|_| (0..200).map(|file| (0, file, 1)))
        .collect();
    assert_eq!(node.held_intervals(12, &many), [], "it pays");
    let savings = node.runner.figures().savings.clone().unwrap();
    assert_eq!(savings.payoff.pays, Some(true));
    let Payoff { reads, saving, .. } = savings.payoff;
    assert_eq!(reads, 6_000);
    // Three reads of each of 30 held files in each of ten intervals. Files are alike, so which are held may change as time goes by, and
    // one that is given up is in the page cache once more. A busy machine makes one interval of several, after which more change.
    let least = 450.0;
    assert!(
        (least..=1_000.0).contains(&saving.reads.value),
        "{saving:?}"
    );
    assert!(saving.us.value > least * 5_000.0, "{saving:?}");

    let few: Vec<_> = (0..10).map(|file| (0, file, 9)).collect();
    let told = node.held_intervals(14, &few);
    assert_eq!(Vec::from_iter(told.iter().map(|it| it.pays)), [Some(false)]);
    let told = node.held_intervals(12, &many);
    assert_eq!(Vec::from_iter(told.iter().map(|it| it.pays)), [Some(true)]);
}

#[test]
fn a_changed_scenario_goes_on_with_what_was_saved() {
    let sites = [Site::of(50), Site::of(50)];
    let mut node = Node::new(&sites, 200 * PAGE, None);
    let both = [(0, 0, 9), (1, 0, 9), (1, 1, 9)];
    node.held_intervals(2, &both);
    let other = spec(&node.folder, &sites[1..], memory_for(200 * PAGE), None);
    let renamed = RunSpec {
        sites: vec![RunSite {
            name: name(1),
            ..other.sites[0].clone()
        }],
        ..other
    };
    node.runner.change(renamed, &mut |_| {}).unwrap();
    node.held_intervals(1, &both);
    let figures = node.runner.figures();
    let [site] = &figures.sites[..] else {
        panic!("{figures:?}")
    };
    assert_eq!((site.site.as_str(), site.all.reads), ("s1.test", 54));
    // Its two files were read for the first time before.
    assert_eq!(site.saving.unwrap().all.missed_alone.value, 2.0);
    assert_eq!(site.saving.unwrap().last.missed_alone.value, 0.0);
}

#[test]
fn files_that_were_asked_for_once_do_not_keep_others_out() {
    let mut node = Node::new(&[Site::of(5_000)], 20 * PAGE, None);
    // As many as are known at most, each once: all there is to be known.
    node.log((0..1_000).map(|file| (0, file, 1)));
    node.interval();
    for turn in 0..8 {
        let once = 1_000 + turn * 500;
        node.log((once..once + 500).map(|file| (0, file, 1)));
        node.log((0..20).map(|file| (0, 4_980 + file, 20)));
        node.interval();
    }
    node.log((0..20).map(|file| (0, 4_980 + file, 20)));
    let decision = node.interval();
    assert_eq!(chosen(&decision, "s0.test"), (4_980..5_000).collect());
}

#[test]
fn sites_that_come_and_go_keep_what_was_learnt_of_the_others() {
    let sites = [Site::of(4), Site::of(4)];
    let mut node = Node::new(&sites, 8 * PAGE, None);
    let both = |node: &mut Node| node.log([(0, 0, 9), (0, 1, 9), (1, 0, 9), (1, 1, 9)]);
    both(&mut node);
    assert_eq!(node.interval().files.len(), 4);

    let one = spec(&node.folder, &sites[..1], memory_for(8 * PAGE), None);
    node.runner.change(one, &mut |_| {}).unwrap();
    assert_eq!(
        chosen(&node.runner.current(), "s0.test"),
        BTreeSet::from([0, 1])
    );
    assert!(chosen(&node.runner.current(), "s1.test").is_empty());
    both(&mut node);
    let decision = node.interval();
    assert_eq!(
        (
            chosen(&decision, "s0.test").len(),
            chosen(&decision, "s1.test").len()
        ),
        (2, 0)
    );

    let again = spec(&node.folder, &sites, memory_for(8 * PAGE), None);
    node.runner.change(again, &mut |_| {}).unwrap();
    both(&mut node);
    assert_eq!(chosen(&node.interval(), "s1.test"), BTreeSet::from([0, 1]));
}

/// A loud site, and one with five files of its own that are asked for now and then, each half as often as the one before.
fn loud_and_quiet() -> impl Iterator<Item = (usize, usize, u32)> {
    let loud = (0..20).map(|file| (0, file, 50));
    loud.chain((0..5).map(|file| (1, file, 16 >> file)))
}

/// How many files of each of two sites are chosen of ten pages after some intervals of such traffic.
fn chosen_of(sites: [Site; 2], objective: Objective) -> [usize; 2] {
    let mut node = Node::new(&sites, 10 * PAGE, None);
    let spec = RunSpec {
        objective,
        ..spec(&node.folder, &sites, memory_for(10 * PAGE), None)
    };
    node.runner.change(spec, &mut |_| {}).unwrap();
    node.log(loud_and_quiet());
    node.interval();
    node.log(loud_and_quiet());
    let decision = node.interval();
    ["s0.test", "s1.test"].map(|site| chosen(&decision, site).len())
}

#[test]
fn a_site_with_a_target_gets_what_it_needs_and_others_the_rest() {
    let (loud, quiet) = (Site::of(20), Site::of(5));
    assert_eq!(
        chosen_of([loud.clone(), quiet.clone()], Objective::Targets),
        [10, 0]
    );
    // A read of the disk takes some ten milliseconds, so three of four have to come from memory: those of two files, or of three where
    // these count sixteen times.
    let target = quiet.clone().with_target("mean < 3ms");
    assert_eq!(
        chosen_of([loud.clone(), target.clone()], Objective::Targets),
        [7, 3]
    );
    assert_eq!(
        chosen_of([loud.clone(), target], Objective::Mean),
        [10, 0],
        "the mean of all comes first"
    );
    let beyond_reach = quiet.with_target("p50 < 1us");
    assert_eq!(
        chosen_of([loud, beyond_reach], Objective::Targets),
        [5, 5],
        "as near as memory allows"
    );
}

#[test]
fn what_sites_reserve_is_held_beyond_the_usual_share() {
    let reserving = Site {
        terms: SiteTerms {
            weight: 1.0,
            reservation_bytes: 90 * PAGE,
        },
        ..Site::of(100)
    };
    let mut node = Node::new(&[reserving], 75 * PAGE, None);
    node.log(zipf(0));
    assert_eq!(node.interval().files.len(), 90);
}

/// Requests of an interval: site, file, how often.
type Requests = Vec<(usize, usize, u32)>;

/// Three sites of six files each, and intervals of requests.
#[derive(Clone, Debug)]
struct Traffic {
    pages: Vec<Vec<u64>>,
    reserved_pages: Vec<u64>,
    weights: Vec<f64>,
    intervals: Vec<Requests>,
    /// Whether little may be moved.
    is_slow: bool,
}

fn traffic() -> impl Strategy<Value = Traffic> {
    let pages = prop::collection::vec(prop::collection::vec(1u64..6, 6), 3);
    let reserved_pages = prop::collection::vec(0u64..7, 3);
    let weights = prop::collection::vec(prop::sample::select(vec![1.0, 10.0, 100.0]), 3);
    let requests = prop::collection::vec((0usize..3, 0usize..6, 1u32..30), 1..20);
    let intervals = prop::collection::vec(requests, 1..5);
    let all = (pages, reserved_pages, weights, intervals, any::<bool>());
    all.prop_map(
        |(pages, reserved_pages, weights, intervals, is_slow)| Traffic {
            pages,
            reserved_pages,
            weights,
            intervals,
            is_slow,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_site_takes_what_another_reserves_and_asks_for(traffic in traffic()) {
        let Traffic { pages, reserved_pages: reserved, weights, intervals, is_slow } = traffic;
        const HELD: u64 = 20;
        let sites: Vec<Site> = (0..3)
            .map(|site| Site {
                terms: SiteTerms { weight: weights[site], reservation_bytes: reserved[site] * PAGE },
                targets: Vec::new(),
                pages: pages[site].clone(),
            })
            .collect();
        let mut node = Node::new(&sites, HELD * PAGE, is_slow.then_some(6 * PAGE));
        for requests in intervals {
            let mut asked: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            for &(site, file, _) in &requests {
                asked.entry(site).or_default().insert(file);
            }
            node.log(requests);
            let decision = node.interval();
            let budget = decision.memory_bytes / PAGE;
            let held = |site: usize| -> u64 {
                chosen(&decision, &name(site)).iter().map(|&file| pages[site][file]).sum()
            };
            prop_assert!((0..3).map(held).sum::<u64>() <= budget.max(reserved.iter().sum()));
            for (&site, files) in &asked {
                let wanted: u64 = files.iter().map(|&file| pages[site][file]).sum();
                let own = wanted.min(reserved[site]);
                let others: u64 = (0..3).filter(|other| *other != site).map(held).sum();
                prop_assert!(others + own <= budget.max(reserved.iter().sum()), "{others} + {own} of {budget}");
            }
        }
    }
}
