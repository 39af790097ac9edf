//! "Buffer Copy" (figure 26; chapter 4.5): a page is copied from the program.

use hotset_petri::Page;

use super::places::Copies;
use super::tokens::Call;
use crate::nets::copy_cost::CopyCost;

/// Adds the copying of what is left of a page.
pub(super) fn copy(page: &mut Page<'_>, cost: &CopyCost, copies: &Copies) {
    let cost = cost.clone();
    page.page("copy from user", |page| {
        page.transition("Buffer Copy")
            .take(&copies.to_copy)
            .put(&copies.copied)
            .fire(move |call: Call, firing| {
                let bytes = call.chunk_end() - call.at;
                let copy_ns = cost.copy_ns(bytes, call.end - call.from) as u64;
                firing.delay_by(copy_ns as f64 / 1e9);
                call
            });
    });
}
