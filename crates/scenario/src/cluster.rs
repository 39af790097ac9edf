//! How Lustre, GlusterFS and MooseFS are laid out and reached.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;

use crate::bounds::{CallsInFlight, HeldS};
use crate::names::there_are;
use crate::option_keys::first_of_others;
use crate::specs::StoreKind;
use crate::toml_file::{Bytes, BytesOrNone, FileError, TomlFile};

/// How a store of kind `lustre`, `glusterfs` or `moosefs` is laid out and reached. What is absent is as the file system has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterOptions {
    /// Of Lustre and MooseFS: name of the node that has the metadata; the first of the servers where it is absent.
    pub metadata: Option<String>,
    /// Of Lustre: bytes of a stripe.
    pub stripe_bytes: Option<u64>,
    /// Of Lustre: object servers that have a part of each file.
    pub stripes: Option<u32>,
    /// Of Lustre: calls with data that a client has under way with a server.
    pub rpcs_in_flight: Option<u32>,
    /// Of Lustre: most bytes of such a call.
    pub rpc_bytes: Option<u64>,
    /// Most bytes that clients read ahead; 0 for none.
    pub read_ahead_bytes: Option<u64>,
    /// Of GlusterFS: bricks of a dispersed volume that may be lost; 0 for a distributed one.
    pub redundancy: Option<u32>,
    /// Of GlusterFS: bytes of the translator io-cache; 0 where it is off.
    pub io_cache_bytes: Option<u64>,
    /// Of GlusterFS: largest file that the translator quick-read has come with its name, bytes; 0 where it is off.
    pub quick_read_bytes: Option<u64>,
    /// Of MooseFS: copies of each chunk.
    pub copies: Option<u32>,
    /// Of GlusterFS and MooseFS: how long attributes hold, seconds.
    pub cache_s: Option<u32>,
    /// Of MooseFS: how long names do.
    pub entry_cache_s: Option<u32>,
}

/// The keys of `[store.options]` that they have.
pub(crate) struct ClusterKeys<'t> {
    pub metadata: Option<&'t Spanned<String>>,
    pub strip: Option<&'t Spanned<Bytes>>,
    pub stripes: Option<&'t Spanned<u32>>,
    pub rpcs_in_flight: Option<&'t Spanned<CallsInFlight>>,
    pub rpc_size: Option<&'t Spanned<Bytes>>,
    pub read_ahead: Option<&'t Spanned<BytesOrNone>>,
    pub redundancy: Option<&'t Spanned<u32>>,
    pub io_cache: Option<&'t Spanned<BytesOrNone>>,
    pub quick_read: Option<&'t Spanned<BytesOrNone>>,
    pub copies: Option<&'t Spanned<u32>>,
    pub cache_s: Option<&'t Spanned<HeldS>>,
    pub entry_cache_s: Option<&'t Spanned<HeldS>>,
}

/// A page.
const PAGE_BYTES: u64 = 4096;
/// Stripes of Lustre are multiples of this (`LOV_MIN_STRIPE_SIZE`).
const STRIPE_BYTES: u64 = 64 << 10;
/// More than this is taken for a typing error.
const MOST_BYTES: u64 = 1 << 30;
/// The largest call of Lustre (`max_pages_per_rpc`, 4096 pages).
const MOST_RPC_BYTES: u64 = 16 << 20;

impl ClusterKeys<'_> {
    /// The first key that the kind does not have, and where it stands. Those that other kinds have as well are theirs to look at.
    pub fn of_others(&self, kind: StoreKind) -> Option<(&'static str, &'static str, Range<usize>)> {
        use StoreKind::{GlusterFs, Lustre, MooseFs};
        let of_lustre = [
            ("rpcs_in_flight", self.rpcs_in_flight.map(Spanned::span)),
            ("rpc_size", self.rpc_size.map(Spanned::span)),
        ];
        let of_glusterfs = [
            ("redundancy", self.redundancy.map(Spanned::span)),
            ("io_cache", self.io_cache.map(Spanned::span)),
            ("quick_read", self.quick_read.map(Spanned::span)),
        ];
        let of_moosefs = [
            ("copies", self.copies.map(Spanned::span)),
            ("entry_cache_s", self.entry_cache_s.map(Spanned::span)),
        ];
        let of_all = [("read_ahead", self.read_ahead.map(Spanned::span))];
        let groups = [
            (&of_lustre[..], kind == Lustre, "lustre"),
            (&of_glusterfs[..], kind == GlusterFs, "glusterfs"),
            (&of_moosefs[..], kind == MooseFs, "moosefs"),
            (
                &of_all[..],
                kind.is_cluster(),
                "lustre, glusterfs and moosefs",
            ),
        ];
        first_of_others(&groups)
    }

    /// What they say of a store on `servers`, where these nodes are file servers. Without any the lab makes its own.
    ///
    /// # Errors
    /// More stripes or copies than servers, too many bricks that may be lost, sizes out of range, and a metadata server that is no file server.
    pub fn options(
        &self,
        file: &TomlFile,
        servers: &[String],
        file_servers: &[&str],
    ) -> Result<ClusterOptions, FileError> {
        let count = match servers.len() {
            0 => StoreKind::OWN_SERVERS,
            count => count,
        };
        self.check_metadata(file, servers, file_servers)?;
        self.check_counts(file, count)?;
        self.check_sizes(file)?;
        Ok(self.said())
    }

    fn check_metadata(
        &self,
        file: &TomlFile,
        servers: &[String],
        file_servers: &[&str],
    ) -> Result<(), FileError> {
        let Some(metadata) = self.metadata else {
            return Ok(());
        };
        let name = metadata.get_ref();
        let message = match (servers, file_servers.contains(&name.as_str())) {
            ([], _) => {
                "is of a store with `servers`; name these as well, or take it out".to_owned()
            }
            (_, true) => return Ok(()),
            (_, false) => {
                let known = there_are(name, file_servers);
                format!("no node with server = \"files\" is called `{name}`; {known}")
            }
        };
        Err(wrong(file, "metadata", metadata.span(), &message))
    }

    fn check_counts(&self, file: &TomlFile, servers: usize) -> Result<(), FileError> {
        let most = u32::try_from(servers).unwrap_or(u32::MAX);
        for (key, count) in [("stripes", self.stripes), ("copies", self.copies)] {
            if let Some(count) = count
                && !(1..=most).contains(count.get_ref())
            {
                let message =
                    format!("must be from 1 to {servers}, as the store has {servers} servers");
                return Err(wrong(file, key, count.span(), &message));
            }
        }
        if let Some(lost) = self.redundancy {
            // More than half of all bricks have to hold data.
            let most = most.saturating_sub(1) / 2;
            if *lost.get_ref() > most {
                let message = format!(
                    "must be from 0 to {most}, less than half of the store's {servers} servers"
                );
                return Err(wrong(file, "redundancy", lost.span(), &message));
            }
        }
        Ok(())
    }

    fn check_sizes(&self, file: &TomlFile) -> Result<(), FileError> {
        let size = |it: &Spanned<Bytes>| (it.get_ref().0, it.span());
        let size_or_none = |it: &Spanned<BytesOrNone>| (it.get_ref().0, it.span());
        let (strip, rpc_size) = (self.strip.map(size), self.rpc_size.map(size));
        let read_ahead = self.read_ahead.map(size_or_none);
        let io_cache = self.io_cache.map(size_or_none);
        let quick_read = self.quick_read.map(size_or_none);
        let sizes = [
            ("strip", strip, STRIPE_BYTES, STRIPE_BYTES..=MOST_BYTES),
            (
                "rpc_size",
                rpc_size,
                PAGE_BYTES,
                PAGE_BYTES..=MOST_RPC_BYTES,
            ),
            ("read_ahead", read_ahead, PAGE_BYTES, 0..=MOST_BYTES),
            ("io_cache", io_cache, PAGE_BYTES, 0..=64 * MOST_BYTES),
            ("quick_read", quick_read, 1, 0..=MOST_BYTES),
        ];
        for (key, size, unit, range) in sizes {
            if let Some((bytes, span)) = size
                && !fits(bytes, unit, &range)
            {
                let (least, most) = (range.start(), range.end());
                let message = match unit {
                    1 => format!("must be from {least} to {most} bytes"),
                    _ => format!("must be a multiple of {unit} from {least} to {most} bytes"),
                };
                return Err(wrong(file, key, span, &message));
            }
        }
        Ok(())
    }

    /// What they say, once it can be.
    fn said(&self) -> ClusterOptions {
        let bytes = |size: Option<&Spanned<Bytes>>| size.map(|it| it.get_ref().0);
        let or_none = |size: Option<&Spanned<BytesOrNone>>| size.map(|it| it.get_ref().0);
        let number = |number: Option<&Spanned<u32>>| number.map(|it| *it.get_ref());
        ClusterOptions {
            metadata: self.metadata.map(|it| it.get_ref().clone()),
            stripe_bytes: bytes(self.strip),
            stripes: number(self.stripes),
            rpcs_in_flight: self.rpcs_in_flight.map(|it| it.get_ref().0),
            rpc_bytes: bytes(self.rpc_size),
            read_ahead_bytes: or_none(self.read_ahead),
            redundancy: number(self.redundancy),
            io_cache_bytes: or_none(self.io_cache),
            quick_read_bytes: or_none(self.quick_read),
            copies: number(self.copies),
            cache_s: self.cache_s.map(|it| it.get_ref().0),
            entry_cache_s: self.entry_cache_s.map(|it| it.get_ref().0),
        }
    }
}

fn wrong(file: &TomlFile, key: &str, span: Range<usize>, message: &str) -> FileError {
    file.error(span, format!("`{key}` in [store.options]: {message}"))
}

fn fits(bytes: u64, unit: u64, range: &RangeInclusive<u64>) -> bool {
    range.contains(&bytes) && bytes.is_multiple_of(unit)
}
