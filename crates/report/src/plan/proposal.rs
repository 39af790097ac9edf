//! Sizes to choose from, where nobody named one, and whether holding is worth it with what is free.

use hotset_plan::{Arm, Proposal, ProposedSize, SizeReason};

use super::order;
use super::tables::{saves, weighted_gain};
use super::view::PlanView;
use crate::{Cell, Column, Document, Table, number};

/// What a plan without a size begins with.
pub(super) fn show<'s>(view: &'s PlanView, to: &mut Document<'s>) {
    let Some(proposal) = view.proposal else {
        return;
    };
    let all = number::bytes(proposal.all_files_bytes);
    to.paragraph(format!(
        "Nobody named a size of memory, so the plan is for the {} that are free for files {} now. All files that were read take {all}: \
         with so much memory or more, the page cache alone keeps them, unless other reads push them out.",
        number::bytes(proposal.free_bytes),
        place(proposal),
    ));
    to.in_terminal(|to| {
        _ = to.sentence(
            "--memory names another size. If another machine serves the files, name what is free there."
                .to_owned(),
        );
    });
    to.on_page(|to| {
        _ = to
            .sentence("If another machine serves the files, what is free there counts.".to_owned());
    });
    to.table(move |_| sizes(proposal))
        .heading("Sizes to choose from")
        .caption(
            "The page cache alone and the plan on the file reads held out. The knee is where a further byte of memory begins to save \
             less than on average.",
        )
        .sheet("sizes");
}

/// Where memory is free.
fn place(proposal: &Proposal) -> String {
    match &proposal.group {
        Some(group) => format!("in the memory group {group}"),
        None => "on this machine".to_owned(),
    }
}

/// That the page cache alone keeps everything, and until when; nothing where it cannot.
pub(super) fn all_fit(view: &PlanView) -> Option<String> {
    let proposal = view.proposal?;
    let scan_bytes = proposal.scan_bytes?;
    Some(format!(
        "all files read ({}) fit in the {} that are free {}. Holding brings nothing until {} of other files are read between two reads of a \
         file, as by a backup",
        number::bytes(proposal.all_files_bytes),
        number::bytes(proposal.free_bytes),
        place(proposal),
        number::bytes(scan_bytes)
    ))
}

fn sizes(proposal: &Proposal) -> impl Into<Table> + use<> {
    let apart: Vec<u64> = proposal
        .sizes
        .iter()
        .map(|size| size.memory_bytes)
        .collect();
    let texts = number::bytes_apart(&apart);
    Table::of(texts.into_iter().zip(proposal.sizes.clone()))
        .column(Column::bytes("memory"), |(text, size)| {
            Cell::bytes(size.memory_bytes).shown_as(text.clone())
        })
        .text("why", |it| why(&it.1))
        .duration("page cache", |it| it.1.page_cache.weighted_mean_us)
        .duration(order::name(Arm::Plan), |it| it.1.plan.weighted_mean_us)
        .column(saves(), |it| weighted_gain(&it.1.plan))
        .leading()
        .strong(|it| it.1.reasons.contains(&SizeReason::Free))
}

fn why(size: &ProposedSize) -> String {
    let reason = |reason: &SizeReason| match reason {
        SizeReason::Targets => "meets all targets in training",
        SizeReason::Gain => "saves what was asked for",
        SizeReason::Knee => "knee of the curve",
        SizeReason::Free => "free here",
    };
    let reasons: Vec<&str> = size.reasons.iter().map(reason).collect();
    reasons.join("; ")
}
