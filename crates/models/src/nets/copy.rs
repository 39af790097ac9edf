//! "Buffer Copy" (figure 21, upper right; chapter 4.5): a page is copied to the program.

use hotset_petri::Page;

use super::copy_cost::CopyCost;
use super::tokens::{Call, Queue};

/// Adds the copying of what is left of a page.
pub(super) fn copy(page: &mut Page<'_>, cost: &CopyCost, from: &Queue<Call>, to: &Queue<Call>) {
    let cost = cost.clone();
    page.page("copy to user", |page| {
        page.transition("Buffer Copy")
            .take(from)
            .put(to)
            .fire(move |call: Call, firing| {
                let end = call.chunk_end();
                let copy_ns = cost.copy_ns(end - call.at, call.end - call.from);
                firing.delay_by(copy_ns / 1e9);
                Call { at: end, ..call }
            });
    });
}
