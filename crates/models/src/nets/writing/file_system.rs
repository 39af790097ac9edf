//! Where a file system has pages of the file.

use hotset_cache::PAGE_BYTES;
use hotset_petri::Page;

use super::layout::FileLayout;
use super::places::{AT_ONCE, Kernel};
use super::tokens::{Kind, Request};
use crate::nets::tokens::Run;

/// Adds a file system of this name. Pages that are handed over lie side by side.
pub(super) fn file_system(page: &mut Page<'_>, name: &str, layout: FileLayout, kernel: &Kernel) {
    page.page(name, |page| {
        page.transition("get block")
            .take(&kernel.runs)
            .put(&kernel.to_disk.submitted)
            .urgency(AT_ONCE)
            .fire(move |run: Run, _| {
                let (offset, bytes) = (layout.offset(run.page), run.pages * PAGE_BYTES);
                Request::new(Kind::Data, offset, bytes, run.page)
            });
    });
}
