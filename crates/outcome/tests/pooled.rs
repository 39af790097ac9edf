//! Runs as one: the figures are those of all their requests.

use hotset_outcome::{Recorder, Score};

fn score(times_us: impl IntoIterator<Item = u64>) -> Score {
    let mut recorder = Recorder::default();
    for us in times_us {
        recorder.record(us % 3 == 0, us % 1000, us as f64);
    }
    recorder.score()
}

#[test]
fn runs_together_have_the_figures_of_all_their_requests() {
    let (short, long) = ((1..=300).map(|it| it * 7), (1..=900).map(|it| it * 9_001));
    let together = score(short.clone().chain(long.clone()));
    let pooled = Score::pooled(&[&score(short), &score(long)]);
    assert_eq!(pooled.requests, Some(1200));
    assert_eq!(pooled.hits, together.hits);
    assert_eq!(pooled.bytes, together.bytes);
    assert_eq!(pooled.hit_bytes, together.hit_bytes);
    let [pooled, together] = [pooled, together].map(|it| it.latencies.response.unwrap());
    let means = [&pooled, &together].map(|it| it.mean_us.unwrap());
    assert!((means[0] / means[1] - 1.0).abs() < 1e-9, "{means:?}");
    assert_eq!(pooled.histogram, together.histogram);
    assert_eq!(pooled.p50_us, together.p50_us);
    assert_eq!(pooled.p99_us, together.p99_us);
    assert_eq!(pooled.max_us, together.max_us);
    assert_eq!(pooled.series, None);
}

#[test]
fn what_one_run_does_not_know_is_not_known() {
    let known = score([4, 5]);
    let unknown = Score {
        hits: None,
        ..known.clone()
    };
    let pooled = Score::pooled(&[&known, &unknown]);
    assert_eq!((pooled.requests, pooled.hits), (Some(4), None));
    assert_eq!(pooled.errors, None);
    let nothing = Score::pooled(&[&score([]), &score([])]);
    assert_eq!(nothing.latencies.response.unwrap().mean_us, None);
}
