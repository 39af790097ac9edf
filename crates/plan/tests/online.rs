//! Learning as accesses come: the same as in a back-test, and the same after a restart that numbers files differently.

use crate::support::{Case, any_case, options, profile};
use hotset_cache::{Policy, TwoList};
use hotset_plan::{
    Arm, Budget, FileName, HeldSet, Online, OnlineState, Period, PlanError, PlanOptions,
    ProfileCosts, Ranking, Renewal, Values, reserved_pages, select_beside,
};
use hotset_scenario::FilePath;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Splits that the renewed plan tries, in twentieths of memory.
const STEPS: [u64; 12] = [0, 5, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20];

fn values(case: &Case) -> Values {
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    Values::new(&case.files(), &costs, &[]).expect("values")
}

fn time_us(case: &Case, access: usize) -> i64 {
    case.times_us.as_ref().map_or(0, |times| times[access])
}

/// Responses of all accesses where files are held in so many pages, and the bytes moved from `scored_from` on.
fn responses(case: &Case, period: Period, pages: [u64; 3], scored_from: usize) -> (Vec<f64>, u64) {
    let [memory_pages, expert_pages, held_pages] = pages;
    let (values, reserved_pages) = (values(case), reserved_pages(&[Default::default(); 3]));
    let budget = |pages| Budget {
        pages,
        reserved_pages: &reserved_pages[..case.sites.len()],
    };
    let (memory, backing) = (profile("memory"), profile("hdd"));
    let mut online = Online::new(period).expect("a period");
    (0..case.sizes.len() as u32).for_each(|object| online.introduce(object));
    let mut held = HeldSet::empty(case.sizes.len());
    let mut cache = TwoList::new(memory_pages, case.sizes.len());
    let (mut responses, mut moved) = (Vec::new(), 0);
    for (access, &object) in case.accesses.iter().enumerate() {
        let now = time_us(case, access);
        if let Some(ranking) = online.renew(now, &values, budget(expert_pages)) {
            let next = select_beside(&held, &values, &ranking, budget(held_pages));
            let new = next.objects().iter().filter(|&&one| !held.contains(one));
            let bytes: u64 = new.map(|&one| case.sizes[one as usize]).sum();
            moved += if access >= scored_from { bytes } else { 0 };
            held = next;
            cache.resize(memory_pages - held.pages());
        }
        online.observe(object, now);
        let bytes = case.sizes[object as usize];
        responses.push(if held.contains(object) {
            memory.cached_us(bytes)
        } else if cache.access(object, bytes.div_ceil(4096)) {
            backing.cached_us(bytes)
        } else {
            backing.uncached_us(bytes)
        });
    }
    (responses, moved)
}

/// The renewed plan's mean response and bytes moved, each share of memory run by itself, access by access.
fn renewed_by_itself(case: &Case, period: Period, memory_pages: u64, share: f64) -> (f64, u64) {
    let training = (case.accesses.len() as f64 * 0.7) as usize;
    let inner = (training as f64 * 0.7) as usize;
    let of_memory = |step: u64| (memory_pages as f64 * (step as f64 / 20.0)) as u64;
    let plan_step = (share * 20.0).round() as u64;
    let expert_pages = of_memory(if plan_step == 0 { 20 } else { plan_step });
    let run = |&step: &u64| {
        let pages = [memory_pages, expert_pages, of_memory(step)];
        let (responses, moved) = responses(case, period, pages, training);
        let validated: f64 = responses[inner..training].iter().sum();
        let scored = &responses[training..];
        (
            validated,
            scored.iter().sum::<f64>() / scored.len() as f64,
            moved,
        )
    };
    let runs = STEPS.iter().map(run);
    let best = runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a step");
    (best.1, best.2)
}

/// Files by id with their heat.
fn heat(ranking: &Ranking, values: &Values) -> BTreeMap<u32, f64> {
    ranking.heat(values).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn files_that_are_kept_while_others_are_forgotten_go_on_with_what_is_known_of_them(
        case in any_case(3),
        third in 0u32..3,
    ) {
        let (all_values, reserved) = (values(&case), reserved_pages(&[Default::default(); 3]));
        let budget = Budget { pages: 20, reserved_pages: &reserved[..case.sites.len()] };
        let mut all = Online::new(Period::Microseconds(10.0)).expect("a period");
        for (now, &object) in (0..).zip(&case.accesses) {
            let _renewed = all.renew(now, &all_values, budget);
            all.observe(object, now);
        }
        let now = case.accesses.len() as i64 + 10;
        let _renewed = all.renew(now, &all_values, budget);
        let kept: Vec<u32> = (0..case.sizes.len() as u32).filter(|id| id % 3 != third).collect();
        let pick = |id: &u32| *id as usize;
        let kept_case = Case {
            sizes: kept.iter().map(|id| case.sizes[pick(id)]).collect(),
            site_of_object: kept.iter().map(|id| case.site_of_object[pick(id)]).collect(),
            ..case.clone()
        };
        let kept_values = values(&kept_case);
        let mut some = all.clone();
        some.keep(&kept);
        let warmth = all.warmth();
        for (new, old) in some.warmth().iter().zip(&kept) {
            prop_assert_eq!(new, warmth.get(pick(old)).unwrap_or(&0.0));
        }
        let all_ranking = all.renew(now + 10, &all_values, budget).expect("a ranking");
        let some_ranking = some.renew(now + 10, &kept_values, budget).expect("a ranking");
        let before = heat(&all_ranking, &all_values);
        let expected = (0u32..).zip(&kept).filter_map(|(new, old)| Some((new, *before.get(old)?)));
        prop_assert_eq!(heat(&some_ranking, &kept_values), expected.collect::<BTreeMap<_, _>>());
    }

    #[test]
    fn accesses_fed_one_by_one_are_the_back_test(
        case in any_case(3),
        memory in 1u64..60,
        every in 1u64..40,
        gaps in prop::option::of(prop::collection::vec(0i64..20, 300)),
    ) {
        let times = gaps.map(|gaps| gaps.iter().scan(0, |now, gap| { *now += gap; Some(*now) }).collect::<Vec<i64>>());
        let times_us = times.map(|times| times[..case.accesses.len()].to_vec());
        let (renewal, period) = match times_us {
            Some(_) => (Renewal::Microseconds(every), Period::Microseconds(every as f64)),
            None => (Renewal::Accesses(every), Period::Accesses(every)),
        };
        let case = Case { times_us, ..case };
        let plan = case.plan(&PlanOptions { renewal, ..options(memory * 4096) }).expect("a plan");
        let seen = &plan.total.held_out[Arm::Adaptive];
        let (mean_us, moved_bytes) = renewed_by_itself(&case, period, memory, plan.share);
        prop_assert_eq!(seen.mean_us, mean_us);
        prop_assert_eq!(seen.moved_bytes, Some(moved_bytes));
    }
}

/// What is held after each renewal, by name; at access `stop`, what was learnt is stored and restored where files have
/// other ids.
fn decisions(case: &Case, every: u64, pages: u64, stop: Option<usize>) -> Vec<Vec<u32>> {
    let objects = case.sizes.len() as u32;
    let name = |object: u32| FileName {
        site: case.sites[usize::from(case.site_of_object[object as usize])].clone(),
        path: FilePath::from(format!("/{object}").as_str()),
    };
    let object = |name: &FileName| {
        let text = std::str::from_utf8(&name.path.0[1..]).expect("text");
        text.parse::<u32>().expect("a number")
    };
    // A process that has not stopped gives a file its number in the case as id, one that has counts down.
    let id = |object: u32, stopped| {
        if stopped {
            objects - 1 - object
        } else {
            object
        }
    };
    let backwards = Case {
        sizes: case.sizes.iter().rev().copied().collect(),
        site_of_object: case.site_of_object.iter().rev().copied().collect(),
        ..case.clone()
    };
    let reserved_pages = vec![0; case.sites.len()];
    let budget = Budget {
        pages,
        reserved_pages: &reserved_pages,
    };
    let mut values = values(case);
    let mut online = Online::new(Period::Accesses(every)).expect("a period");
    let mut held = HeldSet::empty(objects as usize);
    let (mut stopped, mut decisions) = (false, Vec::new());
    for (access, &accessed) in case.accesses.iter().enumerate() {
        if Some(access) == stop {
            let stored = serde_json::to_string(&online.save(name)).expect("JSON");
            let state: OnlineState = serde_json::from_str(&stored).expect("a state");
            online = state
                .restore(|name| id(object(name), true))
                .expect("learnt");
            values = self::values(&backwards);
            let ids: Vec<u32> = held
                .objects()
                .iter()
                .map(|&object| id(object, true))
                .collect();
            held = HeldSet::of(&values, &ids);
            stopped = true;
        }
        if let Some(ranking) = online.renew(0, &values, budget) {
            held = select_beside(&held, &values, &ranking, budget);
            decisions.push(held.objects().iter().map(|&one| id(one, stopped)).collect());
        }
        online.observe(id(accessed, stopped), 0);
    }
    decisions
}

proptest! {
    #[test]
    fn a_restart_that_numbers_files_differently_decides_the_same(
        case in any_case(2),
        every in 1u64..20,
        pages in 1u64..60,
        stop in 0.0..1.0,
    ) {
        let stop = (case.accesses.len() as f64 * stop) as usize;
        prop_assert_eq!(
            decisions(&case, every, pages, Some(stop)),
            decisions(&case, every, pages, None)
        );
    }
}

/// A state in which only `key` of a good one is changed.
fn changed(key: &str, value: serde_json::Value) -> Result<Online, PlanError> {
    let case = Case::one_site((0..60).map(|n| n * n % 7).collect(), vec![4096; 7]);
    let values = values(&case);
    let mut online = Online::new(Period::Accesses(5)).expect("a period");
    for &object in &case.accesses {
        let budget = Budget {
            pages: 3,
            reserved_pages: &[0],
        };
        online.renew(0, &values, budget);
        online.observe(object, 0);
    }
    let name = |object: u32| FileName {
        site: "all".to_owned(),
        path: FilePath::from(format!("/{object}").as_str()),
    };
    let mut json = serde_json::to_value(online.save(name)).expect("JSON");
    *json.pointer_mut(key).expect("a key") = value;
    let state: OnlineState = serde_json::from_value(json).expect("a state");
    let mut next = 0..;
    state.restore(|_| next.next().expect("ids do not end"))
}

#[test]
fn a_state_that_contradicts_itself_is_refused() {
    changed("/version", 1.into()).expect("unchanged");
    for (key, value) in [
        ("/version", 2.into()),
        ("/files", serde_json::json!([])),
        ("/learnt/clock/period", serde_json::json!({ "accesses": 0 })),
        ("/learnt/recent", serde_json::json!({ "70": 1 })),
        ("/learnt/experts/experts", serde_json::json!([])),
        ("/learnt/experts/experts/3/duels", serde_json::json!([])),
        (
            "/learnt/experts/experts/1/counting/fading/exponent",
            "-1".into(),
        ),
        (
            "/learnt/experts/total",
            serde_json::json!([1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ),
    ] {
        let refused = changed(key, value).expect_err(key);
        assert!(matches!(refused, PlanError::State(_)), "{key}: {refused}");
    }
}

#[test]
fn a_period_of_no_length_is_refused() {
    for period in [
        Period::Accesses(0),
        Period::Microseconds(0.0),
        Period::Microseconds(f64::NAN),
    ] {
        assert!(matches!(Online::new(period), Err(PlanError::Option { .. })));
    }
}
