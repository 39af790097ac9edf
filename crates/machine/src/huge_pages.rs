//! Memory in large pieces.
#![allow(
    unsafe_code,
    reason = "advising has no safe wrapper; see `ask_for_huge_pages`"
)]

use std::io;

use rustix::mm::{Advice, madvise};

/// Bytes of a huge page where pages have 4 KiB (`HPAGE_PMD_SIZE` of x86 and 64-bit ARM).
pub const HUGE_PAGE_BYTES: usize = 2 << 20;

/// Asks the kernel for huge pages where `memory` has not been written yet. It gives them as it can.
///
/// # Errors
/// Memory that does not begin at a page, and a kernel that has no huge pages.
pub fn ask_for_huge_pages(memory: &mut [u8]) -> io::Result<()> {
    // SAFETY: the advice changes neither what the memory holds nor whether it is mapped (madvise(2), MADV_HUGEPAGE).
    unsafe {
        madvise(
            memory.as_mut_ptr().cast(),
            memory.len(),
            Advice::LinuxHugepage,
        )?
    };
    Ok(())
}
