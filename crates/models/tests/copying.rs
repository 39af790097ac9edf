//! Copying costs what the formula says; the C library reads what its source says.

use hotset_models::nets::{CopyCost, CopyLevel, Stdio, StdioStep};

fn one_level() -> CopyCost {
    CopyCost {
        levels: vec![CopyLevel {
            threshold_bytes: 65536,
            page_ns: 1000.0,
        }],
        memory_page_ns: 3000.0,
    }
}

#[test]
fn a_page_takes_the_near_memorys_time_up_to_the_threshold_and_a_mean_beyond() {
    let cost = one_level();
    assert_eq!(cost.page_ns(4096), 1000.0);
    assert_eq!(cost.page_ns(65536), 1000.0);
    // S/p = 16 pages, x = 16 pages.
    assert_eq!(
        cost.page_ns(131_072),
        (16.0 * 1000.0 + 16.0 * 3000.0) / 32.0
    );
    assert!((cost.page_ns(1 << 40) - 3000.0).abs() < 0.01, "its limit");
    assert_eq!(cost.copy_ns(512, 4096), 125.0);
}

#[test]
fn levels_follow_each_other() {
    let mut cost = one_level();
    cost.levels.push(CopyLevel {
        threshold_bytes: 131_072,
        page_ns: 2000.0,
    });
    let pages = 16.0 * 1000.0 + 16.0 * 2000.0 + 32.0 * 3000.0;
    assert_eq!(cost.page_ns(262_144), pages / 64.0);
    assert_eq!(CopyCost::constant(500.0).page_ns(8192), 500.0);
}

/// Reads that blocks come to, one after the other: first byte and how many.
fn reads(blocks: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let (mut stdio, mut reads) = (Stdio::default(), Vec::new());
    for &(mut at, bytes) in blocks {
        let end = at + bytes;
        while at < end {
            match stdio.step(at, end) {
                StdioStep::Copy(bytes) => at += bytes,
                StdioStep::Read {
                    offset,
                    bytes,
                    into_buffer,
                } => {
                    reads.push((offset, bytes));
                    at += if into_buffer { 0 } else { bytes };
                }
            }
        }
    }
    reads
}

#[test]
fn small_reads_fill_the_buffer() {
    let blocks: Vec<_> = (0..16).map(|it| (it * 512, 512)).collect();
    assert_eq!(reads(&blocks), [(0, 4096), (4096, 4096)]);
}

#[test]
fn large_reads_go_past_the_buffer_in_whole_buffers() {
    assert_eq!(reads(&[(0, 65536)]), [(0, 65536)]);
    assert_eq!(
        reads(&[(0, 6000), (6000, 6000)]),
        [(0, 4096), (4096, 4096), (8192, 4096)],
        "what is left of a block comes from the buffer"
    );
}
