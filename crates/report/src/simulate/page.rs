//! The page of a trace that was run through a cache.

use super::CacheScanView;
use crate::page::{Document, KeyFigure, Section, plots};
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::{Page, Provenance, number, printable};

/// Points of the picture: fewer than it has pixels, enough to see a cache warm up.
const RUNS: usize = 100;

impl Page for CacheScanView {
    /// Hit ratios, mean response, and how responses went on where outcomes were counted.
    fn page(&self, provenance: &Provenance) -> String {
        let sections = self.course().map(|plot| {
            let body = plots(&[plot]);
            Section::new("responses", "How responses went on", body)
        });
        Document {
            title: "hotset: a trace through a cache",
            headline: self.headline(),
            figures: self.key_figures(),
            sections: sections.into_iter().collect(),
            provenance,
        }
        .render()
    }
}

impl CacheScanView {
    fn key_figures(&self) -> Vec<KeyFigure> {
        let memory = number::bytes(self.memory_bytes);
        let reads = number::counted(self.requests, "file read", "file reads");
        let store = format!("misses are read from {}", printable(&self.backing));
        vec![
            KeyFigure::new(
                "hit ratio",
                number::percent(self.hit_ratio),
                format!("of {reads}, from {memory}"),
            ),
            KeyFigure::new(
                "byte hit ratio",
                number::percent(self.byte_hit_ratio),
                "of the bytes of those files".into(),
            ),
            KeyFigure::new("mean response", number::duration(self.mean_us), store),
        ]
    }

    /// Mean responses of consecutive file reads, which show whether the cache was warm and when traffic changed.
    fn course(&self) -> Option<Plot> {
        let (_, response) = self.outcomes.first()?.total.response()?;
        let series = response.series.as_ref()?;
        let mut before = 0.0;
        let middle = |(requests, mean_us): (f64, f64)| {
            before += requests;
            (before - requests / 2.0, mean_us)
        };
        let points: Vec<(f64, f64)> = series.runs(RUNS).into_iter().map(middle).collect();
        (points.len() > 1).then(|| Plot {
            title: "Mean response in the course of the file reads",
            description: "Means of consecutive file reads, in their order; lower is better.",
            x: Axis::linear("file reads", Unit::Plain),
            y: Axis::linear("mean response", Unit::Duration),
            series: vec![Series::line(&self.policy, Ink::Main, points)],
        })
    }
}
