//! Which server has which byte of a file.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::system::{ClusterPart, ClusterProtocol, ClusterServers, ClusterSystem};
use super::system::{GlusterFs, MooseFs};
use crate::remote::pvfs::Striping;

/// Bytes of a block of a fragment (`EC_METHOD_CHUNK_SIZE`, `xlators/cluster/ec/src/ec-method.h`).
const FRAGMENT_BLOCK_BYTES: u64 = 512;
/// More than any file has: files that are whole on one server are one strip.
const WHOLE_BYTES: u64 = 1 << 62;

/// Where files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub striping: Striping,
    /// Servers with data.
    pub servers: u32,
    /// The one with the metadata.
    pub metadata: u32,
    /// Copies of each file.
    pub copies: u32,
    /// Fragments that a file is made of; 0 where it is in none.
    pub fragments: u32,
    /// Files that a client has, and how many clients have files of their own: one where all share them.
    pub files: u32,
    owners: u32,
}

impl Layout {
    pub fn of(system: &ClusterSystem<'_>, files: usize, owners: usize) -> Self {
        let servers = ClusterServers {
            count: system.servers.len(),
            with_data: system.data_servers,
            metadata: system.metadata,
        };
        Self::new(&system.protocol, servers, (files, owners))
    }

    /// The same of these servers, where so many clients have so many files each of their own.
    pub fn new(
        protocol: &ClusterProtocol,
        all: ClusterServers,
        (files, owners): (usize, usize),
    ) -> Self {
        let servers = all.with_data.clamp(1, all.count.max(1)) as u32;
        let whole = Striping {
            strip_bytes: WHOLE_BYTES,
            stripes: 1,
        };
        let (striping, copies, fragments) = match *protocol {
            ClusterProtocol::Lustre(options) => {
                let striping = Striping {
                    strip_bytes: options.stripe_bytes.max(1),
                    stripes: options.stripes.clamp(1, servers),
                };
                (striping, 1, 0)
            }
            ClusterProtocol::GlusterFs(GlusterFs { redundancy: 0, .. }) => (whole, 1, 0),
            ClusterProtocol::GlusterFs(options) => {
                (whole, 1, servers.saturating_sub(options.redundancy).max(1))
            }
            ClusterProtocol::MooseFs(options) => {
                let striping = Striping {
                    strip_bytes: MooseFs::CHUNK_BYTES,
                    stripes: servers,
                };
                (striping, options.copies.clamp(1, servers), 0)
            }
        };
        Self {
            striping,
            servers,
            metadata: all.metadata.min(all.count.saturating_sub(1)) as u32,
            copies,
            fragments,
            files: files as u32,
            owners: owners.max(1) as u32,
        }
    }

    /// The number of a client's file among all.
    #[inline]
    pub fn number(&self, client: u32, file: u32) -> u32 {
        (client % self.owners) * self.files + file
    }

    /// All files.
    pub fn all_files(&self) -> u32 {
        self.files * self.owners
    }

    /// Clients that have files of their own.
    pub fn owners(&self) -> u32 {
        self.owners
    }

    /// The server that has this place among those of a copy of a file. Files begin on one server after the other, and copies too.
    pub fn server_at(&self, number: u32, copy: u32, place: u32) -> u32 {
        let first = number % self.servers + copy % self.servers;
        (first + place) % self.servers
    }

    /// The number at its server of a copy of a file.
    pub fn stored_number(&self, number: u32, copy: u32) -> u32 {
        copy * self.all_files() + number
    }

    /// Bytes that a server has of a copy of a file of `size` bytes.
    pub fn stored_bytes(&self, (number, copy): (u32, u32), server: u32, size: u64) -> u64 {
        if server >= self.servers {
            return 0;
        }
        if self.fragments > 0 {
            return self.fragment(0..size).end;
        }
        let first = self.server_at(number, copy, 0);
        let place = (server + self.servers - first) % self.servers;
        match place < self.striping.stripes {
            true => self.striping.bytes_at(size, place),
            false => 0,
        }
    }

    /// Bytes of a stripe of a file in fragments: it is read and written whole.
    pub fn fragments_row_bytes(&self) -> u64 {
        FRAGMENT_BLOCK_BYTES * u64::from(self.fragments.max(1))
    }

    /// What of each fragment has some bytes of a file.
    pub fn fragment(&self, bytes: Range<u64>) -> Range<u64> {
        let row = self.fragments_row_bytes();
        let start = bytes.start / row * FRAGMENT_BLOCK_BYTES;
        start..bytes.end.div_ceil(row) * FRAGMENT_BLOCK_BYTES
    }
}

impl ClusterPart {
    fn layout(&self, files: usize) -> Layout {
        Layout::new(&self.protocol, self.servers, (files, 1))
    }

    /// Copies of each file.
    pub(crate) fn copies(&self) -> u32 {
        self.layout(1).copies
    }

    /// Bytes, in whole pages, that its server has of a copy of a file with so many bytes. All clients share so many files.
    pub(crate) fn stored_bytes(&self, (number, copy): (u32, u32), files: usize, bytes: u64) -> u64 {
        let layout = self.layout(files);
        match copy < layout.copies {
            true => {
                let stored = layout.stored_bytes((number, copy), self.place as u32, bytes);
                stored.div_ceil(PAGE_BYTES) * PAGE_BYTES
            }
            false => 0,
        }
    }
}

/// Some bytes as pieces of at most so many, which begin at multiples of that.
pub(super) fn pieces(bytes: Range<u64>, most_bytes: u64) -> impl Iterator<Item = Range<u64>> {
    let most_bytes = most_bytes.max(1);
    let mut start = bytes.start;
    std::iter::from_fn(move || {
        let end = (start / most_bytes + 1)
            .saturating_mul(most_bytes)
            .min(bytes.end);
        let piece = start..end;
        start = end;
        (piece.start < piece.end).then_some(piece)
    })
}
