//! How often the Zipf interval covers the exponent a trace was generated with.
//!
//! `cargo run --release -p hotset-describe --example zipf_coverage [TRACES]` prints, for each exponent
//! and size, how many of the intervals of TRACES generated traces (100 by default) cover it, their mean
//! width, and the time a fit takes.
#![allow(clippy::print_stdout)]

use std::{collections::BTreeMap, env, time::Instant};

use hotset_describe::zipf;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn spectrum(alpha: f64, objects: usize, requests: usize, seed: u64) -> Vec<(u64, u64)> {
    let mut sum = 0.0;
    let cumulative: Vec<f64> = (1..=objects)
        .map(|rank| {
            sum += (rank as f64).powf(-alpha);
            sum
        })
        .collect();
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut counts = vec![0_u64; objects];
    for _ in 0..requests {
        let drawn = random.random::<f64>() * sum;
        counts[cumulative
            .partition_point(|&below| below <= drawn)
            .min(objects - 1)] += 1;
    }
    let mut spectrum = BTreeMap::new();
    counts
        .into_iter()
        .filter(|&count| count > 0)
        .for_each(|count| *spectrum.entry(count).or_insert(0) += 1);
    spectrum.into_iter().collect()
}

#[derive(Default)]
struct Coverage {
    covered: usize,
    width: f64,
    error: f64,
    fitted: usize,
}

impl Coverage {
    fn add(&mut self, truth: f64, alpha: f64, low: f64, high: f64) {
        self.fitted += 1;
        self.covered += usize::from(low <= truth && truth <= high);
        self.width += high - low;
        self.error += alpha - truth;
    }

    fn text(&self) -> String {
        let n = self.fitted.max(1) as f64;
        format!(
            "{:4} of {:3}  width {:.4}  bias {:+.4}",
            self.covered,
            self.fitted,
            self.width / n,
            self.error / n
        )
    }
}

fn main() {
    let traces = env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(100);
    for (objects, requests) in [
        (10_000, 100_000),
        (10_000, 1_000_000),
        (100_000, 100_000),
        (100_000, 1_000_000),
    ] {
        println!("{objects} objects, {requests} requests");
        for alpha in [0.6, 0.7, 0.8, 0.9, 1.0, 1.1] {
            let (mut whole, mut head, mut seconds) =
                (Coverage::default(), Coverage::default(), 0.0);
            for seed in 0..traces {
                let spectrum = spectrum(alpha, objects, requests, seed);
                let start = Instant::now();
                let fit = zipf::fit(&spectrum);
                seconds += start.elapsed().as_secs_f64();
                if let Some(fit) = fit {
                    whole.add(alpha, fit.alpha, fit.low, fit.high);
                    if let Some(fit) = fit.head {
                        head.add(alpha, fit.alpha, fit.low, fit.high);
                    }
                }
            }
            let ms = seconds * 1e3 / traces as f64;
            println!(
                "  alpha {alpha}: all {}   head {}   {ms:.1} ms",
                whole.text(),
                head.text()
            );
        }
    }
}
