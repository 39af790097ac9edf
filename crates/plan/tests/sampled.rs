//! Curves and stores that are estimated from a sample of the accesses, held to those of all accesses.

use std::ops::Range;

use hotset_outcome::Interval;
use hotset_plan::{
    Advice, Arm, ArmScore, CurvePoint, PageCacheModel, Plan, PlanOptions, SampledArm, SiteTerms,
    advise,
};
use hotset_workload::{Generator, Load, Zipf};

use crate::real_logs::log;
use crate::support::{Case, profile, zipf};

const ACCESSES: usize = 120_000;

/// The same options where a sixth of the accesses is scored.
fn sampled(options: &PlanOptions, case: &Case) -> PlanOptions {
    PlanOptions {
        scored_up_to: 0,
        sampled_accesses: case.accesses.len() / 6,
        ..options.clone()
    }
}

fn plan(case: &Case, options: &PlanOptions) -> Plan {
    case.plan(options).expect("a plan")
}

/// Figures, and how many of them lie in their intervals.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    figures: u32,
    covered: u32,
    /// Sum of the shares that intervals take of their figures.
    width: f64,
}

impl Coverage {
    fn add(&mut self, interval: Option<Interval>, exact: f64) {
        let interval = interval.expect("an interval");
        let slack = 1e-9 * exact.abs();
        self.figures += 1;
        self.covered += u32::from(interval.low <= exact + slack && exact - slack <= interval.high);
        self.width += (interval.high - interval.low) / exact.abs().max(1e-9);
    }

    fn add_arm(&mut self, sampled: SampledArm, exact: &ArmScore) {
        self.add(sampled.hit_ratio, exact.hit_ratio);
        self.add(sampled.mean_us, exact.mean_us);
    }

    fn share(self) -> f64 {
        f64::from(self.covered) / f64::from(self.figures)
    }
}

/// The curve of `case` with stretches scored, as each of the seeds places them, beside that of all accesses; of the page cache alone and
/// of the plan.
fn coverage(case: &Case, options: &PlanOptions, seeds: Range<u64>) -> [Coverage; 2] {
    let exact = plan(case, options);
    let mut coverage = [Coverage::default(); 2];
    for seed in seeds {
        let options = PlanOptions {
            seed,
            ..sampled(options, case)
        };
        add_coverage(&mut coverage, &plan(case, &options), &exact);
    }
    coverage
}

fn add_coverage(coverage: &mut [Coverage; 2], estimated: &Plan, exact: &Plan) {
    assert_eq!(estimated.held, exact.held);
    for arm in [Arm::PageCache, Arm::Plan, Arm::Clairvoyant] {
        let [seen, wanted] = [estimated, exact].map(|plan| plan.total.held_out[arm].mean_us);
        assert_eq!(seen, wanted);
    }
    for (point, exact) in estimated.curve.iter().zip(&exact.curve) {
        assert_eq!(point.memory_bytes, exact.memory_bytes);
        let Some(sampled) = point.sampled else {
            assert_eq!(point.memory_bytes, estimated.memory_bytes);
            assert_eq!(point.plan.mean_us, exact.plan.mean_us);
            continue;
        };
        assert!(
            sampled.access_share > 0.1 && sampled.access_share < 0.6,
            "{sampled:?}"
        );
        coverage[0].add_arm(sampled.page_cache, &exact.page_cache);
        coverage[1].add_arm(sampled.plan, &exact.plan);
        assert_within(point);
    }
}

/// Each figure lies in its own interval.
fn assert_within(point: &CurvePoint) {
    let sampled = point.sampled.expect("an estimate");
    let within = |interval: Option<Interval>, value: f64| {
        let interval = interval.expect("an interval");
        interval.low <= value + 1e-9 && value - 1e-9 <= interval.high
    };
    assert!(
        within(sampled.page_cache.hit_ratio, point.page_cache.hit_ratio),
        "{point:?}"
    );
    assert!(
        within(sampled.plan.mean_us, point.plan.mean_us),
        "{point:?}"
    );
    let gain = point.plan.weighted_gain.expect("a gain");
    assert!(within(sampled.weighted_gain, gain), "{point:?}");
}

fn sum(all: &[[Coverage; 2]], arm: usize) -> Coverage {
    all.iter().fold(Coverage::default(), |sum, of| Coverage {
        figures: sum.figures + of[arm].figures,
        covered: sum.covered + of[arm].covered,
        width: sum.width + of[arm].width,
    })
}

/// Nine figures in ten at least lie in intervals of 95 %, and these are narrow.
fn assert_covers(all: &[[Coverage; 2]]) {
    for arm in 0..2 {
        let coverage = sum(all, arm);
        assert!(coverage.share() >= 0.9, "{arm}: {coverage:?} of {all:?}");
        assert!(
            coverage.width / f64::from(coverage.figures) < 0.5,
            "{coverage:?}"
        );
    }
}

#[test]
fn a_sampled_curve_covers_that_of_all_accesses() {
    let mut all = Vec::new();
    for (seed, exponent, shift) in [(1, 0.6, 0), (2, 0.9, 0), (3, 0.8, 60), (4, 0.95, 30)] {
        let case = zipf(ACCESSES, 2000, exponent, shift, seed);
        all.push(coverage(&case, &PlanOptions::new(3000 * 4096), 0..1));
    }
    assert_covers(&all);
}

/// Files of 1 KiB to 64 MiB: most bytes are in a few.
#[test]
fn a_sampled_curve_covers_that_of_all_accesses_to_files_of_uneven_sizes() {
    let mut all = Vec::new();
    for (seed, alpha) in [(5, 0.7), (6, 0.9)] {
        let zipf = Zipf::new(alpha, 3000, 1 << 30, Load::new(ACCESSES as u64, 100.0));
        let trace = zipf.generate(seed).expect("a trace");
        let case = Case::one_site(trace.requests.object, trace.objects.size);
        all.push(coverage(&case, &PlanOptions::new(100 << 20), 0..1));
    }
    assert_covers(&all);
}

#[test]
fn a_sampled_curve_of_a_public_log_covers_that_of_all_accesses() {
    let mut all = Vec::new();
    for name in ["semicomplete-2015.combined.log", "epa-http-1995.txt"] {
        let Some(case) = log(name) else { return };
        let bytes: u64 = case.sizes.iter().sum();
        all.push(coverage(&case, &PlanOptions::new(bytes / 10), 0..4));
    }
    assert_covers(&all);
}

/// Figures of one curve are off together, so that only many curves tell.
#[test]
fn sampled_curves_of_many_kinds_of_traffic_cover_those_of_all_accesses() {
    let kinds = [PageCacheModel::Linux, PageCacheModel::WholeFiles];
    let kinds = kinds.into_iter().flat_map(|page_cache| {
        let shifts = [0, 40].into_iter();
        shifts
            .flat_map(move |shift| [0.45, 0.7, 0.95].map(|exponent| (page_cache, shift, exponent)))
    });
    let mut all = Vec::new();
    for (seed, (page_cache, shift, exponent)) in (20..).zip(kinds) {
        let case = zipf(40_000, 1500, exponent, shift, seed);
        let pages: u64 = case.sizes.iter().map(|size| size.div_ceil(4096)).sum();
        let options = PlanOptions {
            page_cache,
            curve_points: 5,
            ..PlanOptions::new(pages * (seed - 15) / 40 * 4096)
        };
        all.push(coverage(&case, &options, 0..3));
    }
    assert_covers(&all);
}

#[test]
fn few_accesses_are_all_scored() {
    let case = zipf(20_000, 300, 0.8, 0, 9);
    let options = PlanOptions::new(1000 * 4096);
    assert!(options.scored_up_to >= 1_000_000);
    let plan = plan(&case, &options);
    assert!(plan.curve.iter().all(|point| point.sampled.is_none()));
    let advice = advice(&case, &options, &plan);
    let mut stores = advice.iter().flat_map(|site| &site.stores);
    assert!(stores.all(|store| store.sampled.is_none()));
}

#[test]
fn a_sample_of_all_accesses_is_nearly_the_whole() {
    let case = two_sites(30_000);
    let terms = vec![
        SiteTerms {
            weight: 3.0,
            ..SiteTerms::default()
        },
        SiteTerms::default(),
    ];
    let options = PlanOptions {
        terms,
        groups: true,
        page_cache: PageCacheModel::WholeFiles,
        curve_points: 5,
        ..PlanOptions::new(1000 * 4096)
    };
    let all = PlanOptions {
        scored_up_to: 0,
        sampled_accesses: case.accesses.len(),
        ..options.clone()
    };
    // What comes long before a stretch does not warm it.
    let close = |a: f64, b: f64| (a - b).abs() <= 0.05 * b.abs();
    let (exact, sampled) = (plan(&case, &options), plan(&case, &all));
    for (point, exact) in sampled.curve.iter().zip(&exact.curve) {
        for (arm, exact) in [
            (&point.page_cache, &exact.page_cache),
            (&point.plan, &exact.plan),
        ] {
            assert!(close(arm.hit_ratio, exact.hit_ratio), "{arm:?} {exact:?}");
            assert!(close(arm.mean_us, exact.mean_us), "{arm:?} {exact:?}");
            assert!(
                close(arm.weighted_mean_us, exact.weighted_mean_us),
                "{arm:?} {exact:?}"
            );
        }
    }
    let stores = advice(&case, &options, &exact);
    for (site, sampled) in stores.iter().zip(advice(&case, &all, &sampled)) {
        assert_eq!(site.requests_per_hour, sampled.requests_per_hour);
        for (store, sampled) in site.stores.iter().zip(&sampled.stores) {
            assert!(close(sampled.page_cache_mean_us, store.page_cache_mean_us));
            assert!(close(sampled.plan_mean_us, store.plan_mean_us));
        }
    }
}

/// Files of two sites, in turn.
fn two_sites(accesses: usize) -> Case {
    let mut case = zipf(accesses, 400, 0.7, 0, 11);
    case.site_of_object = (0..400).map(|file| file % 2).collect();
    case.sites = vec!["shop".to_owned(), "blog".to_owned()];
    case
}

fn advice(case: &Case, options: &PlanOptions, plan: &Plan) -> Vec<Advice> {
    let stores = ["nvme", "hdd-7200", "nfs"].map(profile);
    let nodes = std::slice::from_ref(options);
    advise(&case.workload(), &profile("memory"), &stores, nodes, plan).expect("advice")
}

#[test]
fn what_stores_save_by_a_sample_covers_what_they_save() {
    let mut coverage = Coverage::default();
    for seed in 0..4 {
        let case = zipf(ACCESSES, 1500, 0.6 + 0.1 * seed as f64, 0, seed);
        let options = PlanOptions {
            curve_points: 0,
            ..PlanOptions::new(3000 * 4096)
        };
        let whole = plan(&case, &options);
        let exact = advice(&case, &options, &whole);
        let estimated = advice(&case, &sampled(&options, &case), &whole);
        for (store, exact) in estimated[0].stores.iter().zip(&exact[0].stores) {
            let sampled = store.sampled.expect("an estimate");
            coverage.add(sampled.page_cache_mean_us, exact.page_cache_mean_us);
            coverage.add(sampled.plan_mean_us, exact.plan_mean_us);
            let gain = 1.0 - exact.plan_mean_us / exact.page_cache_mean_us;
            coverage.add(sampled.gain, gain);
        }
    }
    assert!(coverage.share() >= 0.85, "{coverage:?}");
}

#[test]
fn a_sampled_curve_has_the_asked_memory_as_it_was_scored() {
    let case = zipf(30_000, 500, 0.8, 0, 12);
    let options = PlanOptions::new(1000 * 4096);
    let plan = plan(&case, &sampled(&options, &case));
    let asked = plan.curve.iter().find(|point| point.sampled.is_none());
    let asked = asked.expect("the asked memory");
    assert_eq!(asked.memory_bytes, plan.memory_bytes);
    assert_eq!(asked.plan, plan.total.held_out[Arm::Plan]);
    assert!(plan.curve.iter().all(|point| point.setbacks.is_empty()));
}
