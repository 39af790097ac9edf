//! Costs of consecutive requests, joined to be shown.

use hotset_outcome::CostSeries;

#[test]
fn runs_hold_all_requests_and_their_mean_whatever_their_number() {
    let mut series = CostSeries::default();
    (0..1003).for_each(|cost| series.push(f64::from(cost)));
    for most in [1, 2, 7, 100, 5000] {
        let runs = series.runs(most);
        assert!(runs.len() <= most);
        let requests: f64 = runs.iter().map(|(requests, _)| requests).sum();
        let cost: f64 = runs.iter().map(|(requests, mean)| requests * mean).sum();
        assert_eq!(requests, 1003.0);
        assert!((cost - f64::from(1002 * 1003 / 2)).abs() < 1e-3);
        assert!(runs.is_sorted_by(|a, b| a.1 < b.1));
    }
    assert!(CostSeries::default().runs(10).is_empty());
}
