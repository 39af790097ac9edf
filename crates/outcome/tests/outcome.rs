//! Outcomes serialise to the keys other tools rely on and compare site by site.

use hotset_outcome::{Bootstrap, Outcome, Provenance, ProvenanceKind, Score, SiteScore, compare};

fn score(costs: impl Iterator<Item = f64>) -> Score {
    let mut score = Score::detailed();
    costs.for_each(|us| score.record(us < 100.0, 10, us));
    score
}

fn outcome(name: &str, site: &str, score: Score) -> Outcome {
    Outcome {
        name: name.into(),
        provenance: Provenance::new(ProvenanceKind::Simulated),
        sites: vec![SiteScore {
            site: site.into(),
            score: score.clone(),
        }],
        total: score,
    }
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
    assert_eq!(json["latency_us"]["p50"], 5);
}

#[test]
fn an_empty_score_has_null_ratios() {
    let json = serde_json::to_value(Score::default()).unwrap();
    assert!(
        json["mean_us"].is_null()
            && json["hit_ratio"].is_null()
            && json["byte_hit_ratio"].is_null()
    );
    assert!(json.get("latency_us").is_none());
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
    let comparison = compare(&plan, &base, &Bootstrap::seeded(1));
    assert_eq!(comparison.total.mean_ratio, Some(0.5));
    assert!(comparison.sites[0].1.mean_ratio_interval.is_some());
    assert!(comparison.total.hit_ratio_gain.unwrap() > 0.0);
}

#[test]
fn sites_of_one_outcome_only_are_left_out_and_unpaired_scores_have_no_interval() {
    let base = outcome("a", "shop", score([1.0, 2.0].into_iter()));
    let other = outcome("b", "blog", score([1.0].into_iter()));
    let comparison = compare(&other, &base, &Bootstrap::seeded(1));
    assert!(comparison.sites.is_empty());
    assert_eq!(comparison.total.mean_ratio_interval, None);
    assert_eq!(comparison.total.mean_ratio, Some(1.0 / 1.5));
}
