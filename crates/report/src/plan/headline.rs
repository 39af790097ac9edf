//! What a plan comes to in a sentence.

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Interval;
use hotset_plan::Plan;

use super::view::PlanView;
use crate::number;

/// What a plan buys.
pub(super) fn headline(view: &PlanView) -> String {
    let plan = view.plan;
    if plan.held.objects == 0 {
        return hold_nothing(view);
    }
    let held = format!(
        "Holding {} ({} of {})",
        number::counted(plan.held.objects, "file", "files"),
        number::bytes(plan.held.bytes),
        number::bytes(plan.memory_bytes),
    );
    let score = &plan.total.held_out.plan;
    match score.gain {
        None => held,
        Some(gain) if gain < 0.0 => format!(
            "{held} {} on traffic the plan has not seen: leave this memory to the page cache",
            loss(-gain, score.gain_interval)
        ),
        Some(gain) => format!(
            "{held} {} on traffic the plan has not seen{}",
            saving(gain, score.gain_interval),
            doubt(score.gain_interval)
        ),
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

fn hold_nothing(view: &PlanView) -> String {
    let (memory, total) = (view.plan.memory_bytes, &view.description.total);
    // A file takes whole pages: less than one more than its bytes.
    let at_most = total
        .objects
        .saturating_mul(PAGE_BYTES)
        .saturating_add(total.object_bytes);
    if at_most <= memory && !view.has_several_nodes() {
        let read = number::bytes(total.object_bytes);
        return format!("Hold nothing: all {read} read fit in the page cache");
    }
    let memory = number::bytes(memory);
    format!("Hold nothing: all {memory} serve this traffic best as page cache")
}

fn saving(gain: f64, interval: Option<Interval>) -> String {
    format!("cuts the mean response by {}", share(gain, interval))
}

fn doubt(interval: Option<Interval>) -> &'static str {
    match interval {
        Some(interval) if interval.low > 0.0 => "",
        _ => "; the gain may be chance",
    }
}

fn loss(share_lost: f64, gain_interval: Option<Interval>) -> String {
    let mirrored = gain_interval.map(|i| Interval {
        low: -i.high,
        high: -i.low,
        ..i
    });
    format!(
        "raises the mean response by {}",
        share(share_lost, mirrored)
    )
}

/// How much better the best choice of files could be; nothing where none was made.
pub(super) fn bound(plan: &Plan) -> Option<String> {
    let bound = &plan.bound;
    if plan.held.objects == 0 || bound.value_us <= 0.0 {
        return None;
    }
    Some(format!(
        "{} This bound is for the {} the plan was trained on, with every other file read from its store each \
         time.",
        at_most(bound.optimum_at_most_us / bound.value_us - 1.0),
        number::counted(plan.training_accesses, "file read", "file reads")
    ))
}

/// The share that the best conceivable choice would add.
fn at_most(beyond: f64) -> String {
    /// Less is not told apart from nothing by [`number::percent`].
    const SMALLEST: f64 = 0.001;
    let more = match beyond {
        beyond if beyond <= 0.0 => return "No other choice of files could save more.".to_owned(),
        beyond if beyond < SMALLEST => format!("less than {}", number::percent(SMALLEST)),
        beyond => format!("at most {}", number::percent(beyond)),
    };
    format!("Another choice of files could save {more} more.")
}

fn share(share: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(interval) => number::percent_with_interval(share, interval.low, interval.high),
        None => number::percent(share),
    }
}
