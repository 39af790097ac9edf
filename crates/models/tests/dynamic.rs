//! Pages that an application makes with a database: simulated beside formulas, and what caches, workers and the log change.

use std::path::Path;
use std::sync::Arc;

use hotset_models::calculate::calculate_visits;
use hotset_models::dynamic::{
    DynamicSite, Images, Machine, Measured, Page, Table, Tier, Visit, Visits, simulate,
};
use hotset_models::tiers::{CacheCounts, File, Processors, TiersResult, Traffic};
use hotset_scenario::Profile;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::support::near;

const MIB: u64 = 1 << 20;

/// Browsers who ask for each type of page as often, and think for exponential times.
struct Crowd {
    random: Pcg64Mcg,
    pages: usize,
    think_s: f64,
}

impl Visits for Crowd {
    fn next(&mut self, _browser: u32, _now_ns: u64) -> Visit {
        let draw = 1.0 - self.random.random::<f64>();
        Visit {
            page: self.random.random_range(0..self.pages),
            think_ns: (-self.think_s * draw.ln() * 1e9) as u64,
        }
    }
}

/// A disk that serves one request after the other, each in three milliseconds.
fn disk() -> Profile {
    let text = "open_us = 0.0\n[cached]\nfixed_us = 1.0\nbytes_per_us = 1e6\n[uncached]\nfixed_us = 3001.0\nbytes_per_us = 1e6\n\
                [reading]\nprocessors = 8\n";
    Profile::parse(text, Path::new("disk.toml")).unwrap()
}

fn page(name: &str, work_us: [u64; Tier::COUNT], reads: f64, flushes: f64) -> Page {
    Page {
        name: name.to_owned(),
        work_ns: work_us.map(|us| us * 1000),
        reads,
        flushes,
        bytes: 4096,
        images: 0.0,
    }
}

fn table(name: &str, mib: u64, hot_mib: u64, reads: f64) -> Table {
    Table {
        name: name.to_owned(),
        bytes: mib * MIB,
        hot_bytes: hot_mib * MIB,
        hot_share: 0.9,
        reads,
        is_pinned: false,
    }
}

/// Two types of pages, a machine for the web server and the application and one for the database.
fn site() -> DynamicSite {
    let machine = |name: &str, cpus: f64| Machine {
        name: name.to_owned(),
        processors: Processors::of(Some(cpus), 1.0, u32::MAX),
    };
    DynamicSite {
        pages: vec![
            page("home", [100, 300, 200], 2.0, 0.0),
            page("search", [100, 500, 2400], 6.0, 0.0),
        ],
        tables: vec![table("item", 16, 8, 0.7), table("author", 4, 4, 0.3)],
        table_page_bytes: 16384,
        pool_bytes: 64 * MIB,
        is_past_cache: true,
        machines: vec![machine("web", 2.0), machine("database", 1.0)],
        on: [0, 0, 1],
        workers: None,
        browsers: 12,
        store: disk(),
        memory_bytes: 64 * MIB,
        neighbour: None,
        images: None,
        second: None,
    }
}

const MEASURED: Measured = Measured {
    warm_up: 10_000,
    pages: 20_000,
};

fn visited(site: &DynamicSite, think_s: f64, measured: Measured) -> TiersResult {
    let mut crowd = Crowd {
        random: Pcg64Mcg::seed_from_u64(1),
        pages: site.pages.len(),
        think_s,
    };
    simulate(site, &mut crowd, measured, 7, &|| true).unwrap()
}

fn per_s(result: &TiersResult) -> f64 {
    result.total.throughput_per_s.unwrap()
}

fn response_s(result: &TiersResult) -> f64 {
    result.total.mean_us().unwrap() / 1e6
}

fn pool(result: &TiersResult) -> CacheCounts {
    let mut counts = result.nodes.iter().filter_map(|it| it.pool);
    counts.next().unwrap()
}

fn cache(result: &TiersResult) -> CacheCounts {
    let mut counts = result.nodes.iter().filter_map(|it| it.cache);
    counts.next().unwrap()
}

/// All pages of tables are in the pool, so processors alone are asked: mean value analysis is exact for those.
#[test]
fn processors_alone_give_what_mean_value_analysis_does() {
    for think_s in [0.002, 0.02] {
        let site = site();
        let calculated = calculate_visits(&site, &[0.5, 0.5], think_s).result;
        let simulated = visited(&site, think_s, MEASURED);
        near(per_s(&simulated), per_s(&calculated), 0.02);
        near(response_s(&simulated), response_s(&calculated), 0.03);
        for (simulated, calculated) in simulated.sites.iter().zip(&calculated.sites) {
            near(
                simulated.mean_us().unwrap(),
                calculated.mean_us().unwrap(),
                0.04,
            );
        }
        for (simulated, calculated) in simulated.nodes.iter().zip(&calculated.nodes) {
            near(
                simulated.processors.utilisation.unwrap(),
                calculated.processors.utilisation.unwrap(),
                0.02,
            );
        }
    }
}

#[test]
fn browsers_are_those_who_think_and_those_who_wait() {
    let site = DynamicSite {
        pool_bytes: 4 * MIB,
        ..site()
    };
    let simulated = visited(&site, 0.05, MEASURED);
    let there = per_s(&simulated) * (response_s(&simulated) + 0.05);
    near(there, 12.0, 0.02);
}

#[test]
fn a_disk_that_is_read_gives_about_what_formulas_do() {
    let site = DynamicSite {
        pool_bytes: 8 * MIB,
        ..site()
    };
    let calculated = calculate_visits(&site, &[0.5, 0.5], 0.05).result;
    let simulated = visited(&site, 0.05, MEASURED);
    near(
        pool(&simulated).hit_ratio().unwrap(),
        pool(&calculated).hit_ratio().unwrap(),
        0.02,
    );
    near(per_s(&simulated), per_s(&calculated), 0.08);
    let disk = simulated.nodes[1].disks.iter();
    let busy = disk.filter_map(|it| it.utilisation).fold(0.0, f64::max);
    assert!(busy > 0.3, "{busy}");
}

/// A lone browser looks for the same pages however long each takes, so a larger pool has all that a smaller one has.
#[test]
fn more_pool_never_lowers_hits() {
    let hits = [0, 1, 2, 4, 8, 16, 32].map(|mib| {
        let site = DynamicSite {
            pool_bytes: mib * MIB,
            browsers: 1,
            ..site()
        };
        let measured = Measured {
            warm_up: 2_000,
            pages: 2_000,
        };
        pool(&visited(&site, 0.0, measured)).hits
    });
    assert!(hits.is_sorted(), "{hits:?}");
    assert_eq!(hits[0], 0);
    assert!(hits[6] > hits[3], "{hits:?}");
}

#[test]
fn the_page_cache_has_what_the_pool_lacks_unless_it_is_passed_by() {
    let small = DynamicSite {
        pool_bytes: MIB,
        is_past_cache: false,
        ..site()
    };
    let through = visited(&small, 0.05, MEASURED);
    assert!(cache(&through).hit_ratio().unwrap() > 0.95);
    let past = DynamicSite {
        is_past_cache: true,
        ..small
    };
    let past = visited(&past, 0.05, MEASURED);
    assert_eq!(cache(&past).files, 0);
    assert!(per_s(&past) < 0.5 * per_s(&through));
}

#[test]
fn what_is_pinned_is_never_read() {
    let mut site = DynamicSite {
        pool_bytes: MIB,
        is_past_cache: false,
        memory_bytes: MIB,
        ..site()
    };
    let alone = visited(&site, 0.05, MEASURED);
    for table in &mut site.tables {
        table.is_pinned = true;
    }
    let pinned = visited(&site, 0.05, MEASURED);
    assert_eq!(cache(&pinned).device_bytes, 0);
    assert!(per_s(&pinned) > 1.5 * per_s(&alone));
}

#[test]
fn pages_of_an_application_with_one_worker_come_one_after_the_other() {
    let site = DynamicSite {
        workers: Some(1),
        ..site()
    };
    let simulated = visited(&site, 0.0, MEASURED);
    // The worker has a page for what the application and the database take of it: 0.5 and 2.9 ms.
    near(per_s(&simulated), 1.0 / 0.0017, 0.02);
    let workers = simulated.nodes[0].workers.as_ref().unwrap();
    near(workers.utilisation.unwrap(), 1.0, 0.01);
    near(workers.mean_queue_length.unwrap(), 12.0, 0.1);
}

/// A sync takes three milliseconds at least. Those who come meanwhile have the next one together.
#[test]
fn pages_that_wait_for_the_log_share_a_sync() {
    let site = |browsers| DynamicSite {
        pages: vec![page("buy", [10, 10, 10], 0.0, 1.0)],
        browsers,
        ..site()
    };
    let measured = Measured {
        warm_up: 500,
        pages: 2_000,
    };
    let one = visited(&site(1), 0.0, measured);
    let many = visited(&site(20), 0.0, measured);
    assert!(per_s(&one) < 1.0 / 0.003, "{}", per_s(&one));
    assert!(per_s(&many) > 5.0 * per_s(&one), "{}", per_s(&many));
}

/// Files of another site, none of which is ever in memory, have the disk read beside.
#[test]
fn a_neighbour_slows_pages_that_read_the_disk() {
    let alone = DynamicSite {
        pool_bytes: 8 * MIB,
        memory_bytes: 24 * MIB,
        ..site()
    };
    let traffic = Traffic {
        sites: vec!["files".to_owned()],
        files: (0..400)
            .map(|_| File {
                site: 0,
                bytes: 200_000,
            })
            .collect(),
        requests: (0..400).collect(),
        times_ns: (0..400).map(|it| it * 14_000_000).collect(),
        connections: Vec::new(),
        warm_up: 0,
    };
    let beside = DynamicSite {
        neighbour: Some(Arc::new(traffic)),
        ..alone.clone()
    };
    let measured = Measured {
        warm_up: 4_000,
        pages: 4_000,
    };
    let (alone, beside) = (
        visited(&alone, 0.05, measured),
        visited(&beside, 0.05, measured),
    );
    assert!(per_s(&beside) < 0.95 * per_s(&alone));
    assert_eq!(beside.sites.len(), 3);
    assert!(beside.sites[2].requests.unwrap() > 100);
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let site = DynamicSite {
        pool_bytes: 2 * MIB,
        is_past_cache: false,
        memory_bytes: 4 * MIB,
        ..site()
    };
    let measured = Measured {
        warm_up: 500,
        pages: 1_000,
    };
    let [one, other] = [(); 2].map(|()| visited(&site, 0.01, measured));
    assert_eq!(one.seconds, other.seconds);
    assert_eq!(one.total, other.total);
}

/// Browsers of two applications with two types of pages each; the first twelve are the first one's.
struct TwoCrowds(Pcg64Mcg);

impl Visits for TwoCrowds {
    fn next(&mut self, browser: u32, _now_ns: u64) -> Visit {
        let first = if browser < 12 { 0 } else { 2 };
        Visit {
            page: first + self.0.random_range(0..2),
            think_ns: 0,
        }
    }
}

/// The database's processor is the bottleneck, and both databases are on it.
#[test]
fn a_second_application_has_half_of_what_both_are_short_of() {
    let roomy = DynamicSite {
        memory_bytes: 256 * MIB,
        ..site()
    };
    let alone = visited(&roomy, 0.0, MEASURED);
    let both = roomy.with_second(site()).expect("there is room");
    assert_eq!(both.memory_bytes, 192 * MIB);
    let mut crowds = TwoCrowds(Pcg64Mcg::seed_from_u64(1));
    let together = simulate(&both, &mut crowds, MEASURED, 7, &|| true).unwrap();
    near(per_s(&together), per_s(&alone) / 2.0, 0.03);
    let pages = together.sites.iter().map(|it| it.throughput_per_s.unwrap());
    let pages: Vec<f64> = pages.collect();
    assert_eq!(pages.len(), 4);
    near(pages[0] + pages[1], per_s(&together), 1e-6);
    near(pages[2] + pages[3], per_s(&together), 0.03);
    assert!(
        site().with_second(site()).is_none(),
        "pools fill the memory"
    );
}

/// Images that stay in memory cost the web server alone. Those that do not are read, each in three milliseconds.
#[test]
fn images_are_asked_for_with_their_pages() {
    let with = |images: Option<Images>, each: f64| {
        let mut site = DynamicSite {
            browsers: 1,
            memory_bytes: 16 * MIB,
            images,
            ..site()
        };
        for page in &mut site.pages {
            page.images = each;
        }
        response_s(&visited(&site, 0.0, MEASURED))
    };
    let files = |files| Some(Images { files, bytes: 4096 });
    let without = with(None, 0.0);
    let cached = with(files(100), 2.0);
    assert!(cached > without && cached < without + 0.002, "{cached}");
    // Memory has one image in ten of these.
    let read = with(files(40_960), 2.0);
    near(read - cached, 2.0 * 0.9 * 0.003, 0.15);
    let one = with(files(100), 1.0);
    near(cached - without, 2.0 * (one - without), 0.2);
    assert!(
        site()
            .with_second(DynamicSite {
                images: files(1),
                ..site()
            })
            .is_none()
    );
}
