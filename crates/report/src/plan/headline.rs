//! What a plan comes to in a sentence.

use super::PlanView;
use crate::number;
use hotset_outcome::Interval;
use hotset_plan::{ArmScore, Plan};

/// What a plan buys.
pub(super) fn headline(plan: &Plan) -> String {
    let memory = number::bytes(plan.memory_bytes);
    if plan.held.objects == 0 {
        return format!("Hold nothing: as page cache, all {memory} serve this traffic best");
    }
    let files = number::counted(plan.held.objects, "file", "files");
    let held = format!(
        "Holding {files} ({}) of {memory}",
        number::bytes(plan.held.bytes)
    );
    let score = &plan.total.held_out.plan;
    match score.gain {
        Some(gain) => format!(
            "{held} {} on traffic the plan has not seen{}",
            saving(gain, score.gain_interval),
            if gain < 0.0 {
                ": leave it to the page cache at this size"
            } else {
                ""
            }
        ),
        None => held,
    }
}

/// Which nodes the plan is for and how they share the traffic; nothing for a single one without others.
pub(super) fn nodes(view: &PlanView) -> Option<String> {
    let shared = view.has_several_nodes().then(|| {
        format!(
            "The file reads are dealt to {} nodes in turn, as nginx deals requests to the servers of an upstream. Each \
             node has a plan of its own.",
            view.nodes.len()
        )
    });
    let passed_over = (!view.passed_over.is_empty()).then(|| {
        format!(
            "Proxies read no site from a store, so no plan is made for {}.",
            view.passed_over.join(", ")
        )
    });
    let sentences: Vec<String> = shared.into_iter().chain(passed_over).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// How far from the best the choice of files can be; nothing where none was made.
pub(super) fn bound(plan: &Plan) -> Option<String> {
    let bound = &plan.bound;
    if plan.held.objects == 0 || bound.value_us <= 0.0 {
        return None;
    }
    Some(format!(
        "{} could be saved by holding other files in the same memory, on the {} that chose these and \
         with every other file read from its store each time.",
        at_most(bound.optimum_at_most_us / bound.value_us - 1.0),
        number::counted(plan.training_accesses, "file read", "file reads")
    ))
}

/// The share that the best conceivable choice would add.
fn at_most(beyond: f64) -> String {
    /// Less is not told apart from nothing by [`number::percent`].
    const SMALLEST: f64 = 0.001;
    match beyond {
        beyond if beyond <= 0.0 => "Nothing more".to_owned(),
        beyond if beyond < SMALLEST => format!("Less than {} more", number::percent(SMALLEST)),
        beyond => format!("At most {} more", number::percent(beyond)),
    }
}

fn saving(gain: f64, interval: Option<Interval>) -> String {
    if gain < 0.0 {
        let mirrored = interval.map(|i| Interval {
            low: -i.high,
            high: -i.low,
            ..i
        });
        return format!("adds {} to the mean response", share(-gain, mirrored));
    }
    let doubt = if interval.is_none_or(|i| i.low <= 0.0) {
        ", which may be none,"
    } else {
        ""
    };
    format!(
        "saves {}{doubt} of the mean response",
        share(gain, interval)
    )
}

/// What an arm saves against page cache alone, with its interval.
pub(super) fn gain(score: &ArmScore) -> String {
    score.gain.map_or_else(
        || number::NONE.to_owned(),
        |gain| share(gain, score.gain_interval),
    )
}

fn share(share: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => number::percent_with_interval(share, interval.low, interval.high),
        None => number::percent(share),
    }
}
