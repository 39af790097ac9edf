//! Outcomes serialise to the keys other tools rely on and compare site by site.

use hotset_outcome::{
    Bootstrap, Compared, Distribution, Interval, LatencyKind, Outcome, Provenance, ProvenanceKind,
    RatioMethod, Recorder, Score, ScoreComparison, Traffic, compare,
};

fn score(costs: impl Iterator<Item = f64>) -> Score {
    let mut recorder = Recorder::default();
    costs.for_each(|us| recorder.record(us < 100.0, 10, us));
    recorder.score()
}

fn outcome(name: &str, site: &str, score: Score) -> Outcome {
    let provenance = Provenance::new(ProvenanceKind::Simulated);
    Outcome::new(name, provenance, score.clone()).with_site(site, score)
}

/// An outcome against a baseline.
fn against(outcome: Outcome, baseline: Outcome) -> Compared {
    let compared = compare(&[baseline, outcome], &Bootstrap::seeded(1)).expect("two of them");
    compared.compared[1].clone()
}

/// A score against a baseline.
fn scores(score: &Score, baseline: &Score) -> ScoreComparison {
    let outcome = |score: &Score| {
        let provenance = Provenance::new(ProvenanceKind::Simulated);
        Outcome::new("", provenance, score.clone())
    };
    let compared = against(outcome(score), outcome(baseline));
    compared.total.against_baseline.expect("a baseline")
}

#[test]
fn a_score_serialises_with_ratios_and_quantiles() {
    let json = serde_json::to_value(score([5.0, 5.0, 5.0, 1005.0].into_iter())).unwrap();
    assert_eq!(json["requests"], 4);
    assert_eq!(json["hits"], 3);
    assert_eq!(json["bytes"], 40);
    assert_eq!(json["hit_ratio"], 0.75);
    assert_eq!(json["byte_hit_ratio"], 0.75);
    assert_eq!(json["mean_us"], 255.0);
    assert_eq!(json["latencies"]["response"]["p50_us"], 5.0);
    assert_eq!(json["latencies"]["response"]["histogram"][0][1], 3);
}

#[test]
fn a_distribution_keeps_long_times_within_its_precision() {
    let score = score([5.0, 9_000_000.0, 9_000_000.0, 90_000_000.0].into_iter());
    let (_, response) = score.response().unwrap();
    let near = |found: Option<f64>, us: f64| (found.unwrap() / us - 1.0).abs() < 1e-3;
    assert!(
        near(response.p50_us, 9e6) && near(response.max_us, 9e7),
        "{response:?}"
    );
    assert_eq!(response.cumulative().last().unwrap().1, 1.0);
    let provenance = Provenance::new(ProvenanceKind::Simulated);
    let outcome = Outcome::new("long", provenance, score);
    let within = against(outcome.clone(), outcome).total.within_half_a_second;
    assert_eq!(within, Some(0.25));
}

#[test]
fn an_empty_score_has_null_ratios() {
    for score in [Score::default(), Recorder::default().score()] {
        let json = serde_json::to_value(score).unwrap();
        assert!(
            json["mean_us"].is_null()
                && json["hit_ratio"].is_null()
                && json["byte_hit_ratio"].is_null()
        );
    }
}

#[test]
fn a_site_score_is_flat_and_the_provenance_says_its_kind() {
    let json = serde_json::to_value(outcome("plan", "shop", score([1.0].into_iter()))).unwrap();
    assert_eq!(json["sites"][0]["site"], "shop");
    assert_eq!(json["sites"][0]["requests"], 1);
    assert_eq!(json["provenance"]["kind"], "simulated");
}

#[test]
fn paired_outcomes_compare_with_an_interval() {
    let base = outcome(
        "page cache",
        "shop",
        score((0..1000).map(|i| f64::from(i % 7 * 100))),
    );
    let plan = outcome(
        "plan",
        "shop",
        score((0..1000).map(|i| f64::from(i % 7 * 50))),
    );
    let compared = against(plan, base);
    let total = compared.total.against_baseline.unwrap();
    assert_eq!(total.mean_ratio, Some(0.5));
    assert!(total.hit_ratio_gain.unwrap() > 0.0);
    let site = compared.groups[0].score.against_baseline.unwrap();
    assert!(site.mean_ratio_interval.is_some());
}

#[test]
fn sites_of_one_outcome_only_have_no_ratio_and_are_named() {
    let score = |costs: [f64; 2]| score(costs.into_iter());
    let base = outcome("a", "shop", score([1.0, 2.0])).with_site("news", score([1.0, 1.0]));
    let other = outcome("b", "shop", score([1.0, 1.0])).with_site("blog", score([1.0, 1.0]));
    let compared = against(other, base);
    let total = compared.total.against_baseline.unwrap();
    assert_eq!(total.mean_ratio, Some(1.0 / 1.5));
    assert_eq!(compared.groups[1].score.against_baseline, None);
    let names: Vec<String> = compared
        .not_shared
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(names, ["blog", "news"]);
}

/// Costs of 1 to 100 in no order that repeats soon.
fn costs(requests: u64, scale: f64) -> impl Iterator<Item = f64> {
    (0..requests).map(move |i| scale * (1 + i * i % 101 % 100) as f64)
}

#[test]
fn other_requests_are_compared_as_independent() {
    let base = score(costs(5_000, 1.0));
    let paired = scores(&score(costs(5_000, 0.5)), &base);
    let independent = scores(&score(costs(4_000, 0.5)), &base);
    assert_eq!(paired.mean_ratio_method, Some(RatioMethod::Paired));
    assert_eq!(
        independent.mean_ratio_method,
        Some(RatioMethod::Independent)
    );
    let width = |of: Option<Interval>| of.map(|ends| ends.high - ends.low).unwrap();
    assert!(independent.mean_ratio_interval.unwrap().contains(0.5));
    assert!(width(paired.mean_ratio_interval) < width(independent.mean_ratio_interval));
}

#[test]
fn as_many_requests_of_other_bytes_are_not_the_same_requests() {
    let base = score(costs(5_000, 1.0));
    let mut other = base.clone();
    other.bytes = Some(7);
    let comparison = scores(&other, &base);
    assert_eq!(comparison.mean_ratio_method, Some(RatioMethod::Independent));
}

#[test]
fn independent_means_combine_as_the_delta_method_does() {
    let mean = |mean_us: f64, share: f64| {
        let mut score = Score::default();
        score.latencies.total = Some(Distribution {
            mean_interval: Some(Interval {
                low: mean_us / (1.0 + share),
                high: mean_us * (1.0 + share),
                level: 0.95,
            }),
            ..Distribution::of_mean(mean_us)
        });
        score
    };
    let comparison = scores(&mean(30.0, 0.03), &mean(10.0, 0.04));
    let interval = comparison.mean_ratio_interval.unwrap();
    assert!((interval.high / 3.0 - 1.05).abs() < 1e-3, "{interval:?}");
    assert!((3.0 / interval.low - 1.05).abs() < 1e-3, "{interval:?}");
}

#[test]
fn a_mean_without_an_interval_gives_a_ratio_without_one() {
    let mut quoted = Score::default();
    quoted.latencies.response = Some(Distribution::of_mean(50.0));
    let comparison = scores(&quoted, &score(costs(100, 1.0)));
    assert!(comparison.mean_ratio.is_some());
    assert_eq!(comparison.mean_ratio_interval, None);
    assert_eq!(comparison.mean_ratio_method, None);
}

#[test]
fn a_model_s_response_is_laid_beside_the_measured_total_and_first_bytes_beside_first_bytes() {
    let mut measured = Score::default();
    measured.latencies.first_byte = Some(Distribution::of_mean(3.0));
    let mut both = measured.clone();
    both.latencies.total = Some(Distribution::of_mean(5.0));
    let compared = |a: &Score, b: &Score| scores(a, b).latencies;
    use LatencyKind::{FirstByte, Response, Total};
    let simulated = score([4.0].into_iter());
    assert_eq!(compared(&both, &simulated), Some((Total, Response)));
    assert_eq!(compared(&both, &measured), Some((FirstByte, FirstByte)));
    assert_eq!(compared(&measured, &simulated), Some((FirstByte, Response)));
    assert_eq!(compared(&Score::default(), &simulated), None);
}

/// An outcome of a log with so many requests.
fn of_log(requests: u64, kind: ProvenanceKind, score: Score) -> Outcome {
    let mut outcome = outcome("a", "shop", score);
    outcome.provenance = Provenance {
        traffic: Some(Traffic {
            first: Some("2026-03-01T00:00:00Z".to_owned()),
            last: None,
            requests,
            accesses: requests,
        }),
        ..Provenance::new(kind)
    };
    outcome
}

#[test]
fn other_traffic_is_told_from_the_same_and_never_paired() {
    use ProvenanceKind::{Measured, Simulated};
    let of = |requests| score(costs(requests, 1.0));
    let same = |outcome: Outcome, baseline: Outcome| against(outcome, baseline).same_traffic;
    let [simulated, measured] = [Simulated, Measured].map(|kind| of_log(900, kind, of(900)));
    assert_eq!(same(simulated.clone(), simulated.clone()), Some(true));
    let other_log = of_log(901, Simulated, of(900));
    let beside = against(other_log, simulated.clone());
    assert_eq!(beside.same_traffic, Some(false));
    let method = beside
        .total
        .against_baseline
        .and_then(|it| it.mean_ratio_method);
    assert_eq!(method, Some(RatioMethod::Independent));
    // A model serves what it is given, a server perhaps not all of it.
    assert_eq!(
        same(of_log(900, Simulated, of(300)), simulated.clone()),
        Some(false)
    );
    assert_eq!(same(of_log(900, Measured, of(300)), measured), Some(true));
    assert_eq!(
        same(outcome("b", "shop", of(900)), simulated),
        None,
        "too little is known"
    );
}
