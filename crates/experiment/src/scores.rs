//! Figures of jobs that are summed up together: how far simulated ones are off in all.

use hotset_models::fio::Operation;
use serde::Serialize;

use crate::deviation::{Deviation, ErrorSummary, Metric};

/// Figures that are summed up together, and what they are called. Bytes and hits are apart from times: of jobs that read each byte once
/// they are hardly ever wrong.
pub(crate) const GROUPS: [(&str, &[Metric]); 5] = [
    (
        "throughput and mean times",
        &[Metric::BytesPerS, Metric::MeanUs],
    ),
    (
        "bytes from the device, of bytes read",
        &[Metric::DeviceBytes],
    ),
    ("hits, of reads", &[Metric::HitShare]),
    ("99th percentiles", &[Metric::P99Us]),
    ("bytes to the device, in all and by kind", &Metric::WRITTEN),
];

/// A figure of a job, measured and simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredFigure {
    /// The figure.
    pub of: Deviation,
    /// Whether its job was set aside until the model was done.
    pub is_set_aside: bool,
}

/// How far some figures are off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FigureScore {
    /// What they are summed up as.
    pub group: &'static str,
    /// Which of the group they are; missing where it is all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<Metric>,
    /// Whether they are of reads, of writes or of syncs; missing where they are of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// Of jobs that the model was made beside; missing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<ErrorSummary>,
    /// Of jobs that were set aside until the model was done; missing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<ErrorSummary>,
}

impl FigureScore {
    /// Scores of these figures: each group as a whole, then by operation and metric, those that there are.
    #[must_use]
    pub fn all(figures: &[ScoredFigure]) -> Vec<Self> {
        let mut scores = Vec::new();
        for (group, metrics) in GROUPS {
            scores.extend(Self::of(figures, group, metrics, None));
            for operation in [Operation::Read, Operation::Write, Operation::Fsync] {
                let each = metrics.iter();
                scores.extend(each.filter_map(|metric| {
                    let one = std::slice::from_ref(metric);
                    Self::of(figures, group, one, Some((*metric, operation)))
                }));
            }
        }
        scores
    }

    /// That of a group as a whole; nothing without figures.
    pub(crate) fn of_times(figures: &[ScoredFigure]) -> Option<Self> {
        let (group, metrics) = GROUPS[0];
        Self::of(figures, group, metrics, None)
    }

    /// That of figures of these metrics, of one of them and one operation where that is given; nothing without any.
    fn of(
        figures: &[ScoredFigure],
        group: &'static str,
        metrics: &[Metric],
        one: Option<(Metric, Operation)>,
    ) -> Option<Self> {
        let is_own = |it: &&ScoredFigure| {
            let is_of = one.is_none_or(|(_, operation)| it.of.operation == operation);
            is_of && metrics.contains(&it.of.metric)
        };
        let errors = |is_set_aside: bool| {
            let own = figures.iter().filter(is_own);
            let own = own.filter(|it| it.is_set_aside == is_set_aside);
            ErrorSummary::of(own.map(|it| &it.of))
        };
        let (known, set_aside) = (errors(false), errors(true));
        (known.is_some() || set_aside.is_some()).then_some(Self {
            group,
            metric: one.map(|(metric, _)| metric),
            operation: one.map(|(_, operation)| operation),
            known,
            set_aside,
        })
    }
}
