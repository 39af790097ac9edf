//! Buffers whose place in memory is known: how fast the kernel copies depends on it, and what a device takes for a request.

use std::io::IoSliceMut;

use memmap2::{Advice, MmapMut};

use crate::order::scattered;

/// Alignment that suffices for direct reads: no device has larger logical blocks than a page (`block/blk-settings.c`,
/// before Linux 6.15).
pub(crate) const PAGE_BYTES: usize = 4096;
/// A huge page (`HPAGE_PMD_SIZE` of x86 and 64-bit ARM with pages of 4 KiB).
const HUGE_PAGE_BYTES: usize = 2 << 20;
/// Where `malloc` of glibc has the first byte of a buffer with pages of its own: behind the size of its chunk
/// (`malloc/malloc.c`, `CHUNK_HDR_SZ`).
const MALLOC_BYTES: usize = 16;
/// Smaller buffers of `malloc` have no pages of their own: they lie anywhere on the heap. glibc begins with 128 KiB, and raises
/// that to the size of what a program frees (`malloc/malloc.c`, "dynamic mmap threshold"). Of fio 3.33, buffers of 320 KiB lay on the
/// heap, and those of 512 KiB had pages of their own, unless it had just laid out a file.
const OWN_PAGES_BYTES: u64 = 512 << 10;
/// One place of those. At most of them 64 KiB were copied in about half of the time that they take to [`MALLOC_BYTES`] (AMD EPYC,
/// Linux 6.18, November 2026).
const HEAP_BYTES: usize = PAGE_BYTES / 2 + MALLOC_BYTES;

enum Memory {
    Heap(Vec<u8>),
    Mapped(MmapMut),
}

/// A buffer. The kernel has already given its pages: giving them would count as reading.
pub(crate) struct Buffer {
    memory: Memory,
    /// Bytes of which the place is a multiple, but for `offset`.
    alignment: usize,
    offset: usize,
    length: usize,
}

impl Buffer {
    /// At the start of a page, as direct reads need it.
    pub fn aligned(bytes: u64) -> Self {
        Self::at(0, bytes)
    }

    /// The same, in one piece of the machine's memory if the kernel has such. Without, it is as any other.
    pub fn in_one_piece(bytes: u64) -> Self {
        let length = bytes as usize;
        let whole = length.next_multiple_of(HUGE_PAGE_BYTES);
        Self::mapped(
            length,
            whole + HUGE_PAGE_BYTES,
            HUGE_PAGE_BYTES,
            Advice::HugePage,
        )
    }

    /// At the start of a page, in pages that the kernel gives one by one.
    fn in_small_pages(bytes: u64) -> Self {
        let length = bytes as usize;
        Self::mapped(length, length + PAGE_BYTES, PAGE_BYTES, Advice::NoHugePage)
    }

    /// Memory of malloc may have been in use: what the kernel gives is advised before anything is written there.
    fn mapped(length: usize, whole: usize, alignment: usize, advice: Advice) -> Self {
        let Ok(mapped) = MmapMut::map_anon(whole) else {
            return Self::aligned(length as u64);
        };
        let _refused = mapped.advise(advice);
        let mut buffer = Self {
            memory: Memory::Mapped(mapped),
            alignment,
            offset: 0,
            length,
        };
        buffer.bytes().fill(1);
        buffer
    }

    /// Where most programs have their buffers. Blocks from 256 KiB on were copied in a third to half of the time to the start
    /// of a page, or to any multiple of 64 bytes (AMD EPYC, Linux 6.18, November 2026).
    pub fn of_malloc(bytes: u64) -> Self {
        match bytes >= OWN_PAGES_BYTES {
            true => Self::at(MALLOC_BYTES, bytes),
            false => Self::at(HEAP_BYTES, bytes),
        }
    }

    fn at(offset: usize, bytes: u64) -> Self {
        let length = bytes as usize;
        Self {
            memory: Memory::Heap(vec![1; length + 2 * PAGE_BYTES]),
            alignment: PAGE_BYTES,
            offset,
            length,
        }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        let memory = match &mut self.memory {
            Memory::Heap(memory) => &mut memory[..],
            Memory::Mapped(memory) => &mut memory[..],
        };
        let aligned = memory.as_ptr().align_offset(self.alignment);
        let start = aligned.min(self.alignment) + self.offset;
        &mut memory[start..start + self.length]
    }
}

/// Memory that is walked through, bytes: twice the 32 MiB of an AMD EPYC's last cache, so that it is in none when its turn comes again.
pub(crate) const WALKED_BYTES: u64 = 64 << 20;

/// Memory, piece by piece: as large as [`WALKED_BYTES`] it is in no cache of the processor, as pages that come to the page cache: into a buffer of 1 MiB that was just used a
/// virtual disk read 2.7 GB a second, and 2.2 into such memory (AMD EPYC, Linux 6.18, November 2026).
pub(crate) struct Walk {
    memory: Buffer,
    at: usize,
}

impl Walk {
    /// Through pieces of so many bytes at most, as [`Buffer::in_one_piece`] has them.
    pub fn new(most_bytes: u64) -> Self {
        Self::shared(most_bytes, 1)
    }

    /// The same for one of so many walkers, who all together walk through no more.
    pub fn shared(most_bytes: u64, walkers: usize) -> Self {
        let bytes = WALKED_BYTES / walkers.max(1) as u64;
        Self::of(Buffer::in_one_piece(bytes.max(most_bytes)))
    }

    /// Through a buffer, which no piece may exceed.
    pub fn of(memory: Buffer) -> Self {
        Self { memory, at: 0 }
    }

    /// The next piece.
    pub fn next(&mut self, bytes: u64) -> &mut [u8] {
        let length = bytes as usize;
        let memory = self.memory.bytes();
        if self.at + length > memory.len() {
            self.at = 0;
        }
        self.at += length;
        &mut memory[self.at - length..self.at]
    }
}

/// As much memory in small pages, as a machine has them that has been up for a while.
pub(crate) struct Pages {
    memory: Buffer,
    /// Numbers of pages, neighbours far apart.
    order: Vec<usize>,
    at: usize,
}

impl Pages {
    pub fn new() -> Self {
        let order = scattered(WALKED_BYTES / PAGE_BYTES as u64);
        Self {
            memory: Buffer::in_small_pages(WALKED_BYTES),
            order: order.map(|number| number as usize).collect(),
            at: 0,
        }
    }

    /// The next so many. Every second page of 2 MiB in one piece took a virtual disk 1.9 µs, and such pages 2.9 to 3.4.
    pub fn next(&mut self, pages: usize) -> Vec<IoSliceMut<'_>> {
        let mut all: Vec<_> = self
            .memory
            .bytes()
            .chunks_mut(PAGE_BYTES)
            .map(Some)
            .collect();
        let numbers = self.order.iter().cycle().skip(self.at).take(pages);
        let chosen = numbers.filter_map(|&number| all[number].take());
        self.at = (self.at + pages) % self.order.len();
        chosen.map(IoSliceMut::new).collect()
    }
}
