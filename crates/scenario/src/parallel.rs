//! How a parallel file system is laid out and reached.

use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use toml::Spanned;

use crate::bounds::{FlowBuffers, HeldS};
use crate::names::there_are;
use crate::option_keys::first_of_others;
use crate::specs::StoreKind;
use crate::toml_file::{Bytes, FileError, TomlFile};

/// How a store of kind `pvfs1` or `orangefs` is laid out and reached. What is absent is as the file system has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelOptions {
    /// Name of the node that has the metadata; the first of the servers where it is absent.
    pub metadata: Option<String>,
    /// Bytes of a strip, which PVFS 1 calls a stripe.
    pub strip_bytes: Option<u64>,
    /// Servers that have a part of each file; all where it is absent.
    pub stripes: Option<u32>,
    /// Bytes of a file that a web server reads at a time: what it sends at a time where it is absent.
    pub read_bytes: Option<u64>,
    /// Of PVFS 1: taking a packet into a receive buffer costs more the more it holds.
    pub has_linear_buffers: bool,
    /// Of OrangeFS: largest message that is sent without asking first, bytes.
    pub eager_bytes: Option<u64>,
    /// Of OrangeFS: bytes of a buffer of a flow.
    pub flow_buffer_bytes: Option<u64>,
    /// Of OrangeFS: buffers of a flow.
    pub flow_buffers: Option<u32>,
    /// Of OrangeFS: how long clients take names and attributes to hold, seconds; 0 where they cache none.
    pub cache_s: Option<u32>,
    /// Of OrangeFS: programs reach it through FUSE, and do not call its library.
    pub is_fuse: bool,
}

/// What taking a packet into a receive buffer depends on.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReceiveBuffers {
    /// On nothing.
    Constant,
    /// On what the buffer holds.
    Linear,
}

/// How programs reach OrangeFS.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Client {
    /// They call its library.
    Library,
    /// Through FUSE.
    Fuse,
}

/// The keys of `[store.options]` that parallel file systems have.
pub(crate) struct ParallelKeys<'t> {
    pub metadata: Option<&'t Spanned<String>>,
    pub strip: Option<&'t Spanned<Bytes>>,
    pub stripes: Option<&'t Spanned<u32>>,
    pub read_size: Option<&'t Spanned<Bytes>>,
    pub receive_buffers: Option<&'t Spanned<ReceiveBuffers>>,
    pub eager_limit: Option<&'t Spanned<Bytes>>,
    pub flow_buffer: Option<&'t Spanned<Bytes>>,
    pub flow_buffers: Option<&'t Spanned<FlowBuffers>>,
    pub cache_s: Option<&'t Spanned<HeldS>>,
    pub client: Option<&'t Spanned<Client>>,
}

/// A page: what servers read and write has whole ones.
const PAGE_BYTES: u64 = 4096;
/// A strip or a buffer that is larger is taken for a typing error.
const MOST_BYTES: u64 = 1 << 30;
/// What a web server sends at a time, and the most that it reads at a time.
const SENT_BYTES: u64 = 64 << 10;
const MOST_READ_BYTES: u64 = 16 << 20;
/// The smallest and the largest eager limit: requests with their headers fit in the former.
const EAGER_BYTES: RangeInclusive<u64> = 1024..=(1 << 20);

impl ParallelKeys<'_> {
    /// The first key that the kind does not have, and where it stands.
    pub fn of_others(&self, kind: StoreKind) -> Option<(&'static str, &'static str, Range<usize>)> {
        let metadata = [("metadata", self.metadata.map(Spanned::span))];
        let shared = [
            ("strip", self.strip.map(Spanned::span)),
            ("stripes", self.stripes.map(Spanned::span)),
        ];
        let of_both = [("read_size", self.read_size.map(Spanned::span))];
        let of_pvfs1 = [("receive_buffers", self.receive_buffers.map(Spanned::span))];
        let of_orangefs = [
            ("eager_limit", self.eager_limit.map(Spanned::span)),
            ("flow_buffer", self.flow_buffer.map(Spanned::span)),
            ("flow_buffers", self.flow_buffers.map(Spanned::span)),
            ("client", self.client.map(Spanned::span)),
        ];
        let caching = [("cache_s", self.cache_s.map(Spanned::span))];
        let has_strips = kind.is_parallel() || kind == StoreKind::Lustre;
        let groups = [
            (
                &metadata[..],
                has_strips || kind == StoreKind::MooseFs,
                "pvfs1, orangefs, lustre and moosefs",
            ),
            (&shared[..], has_strips, "pvfs1, orangefs and lustre"),
            (
                &caching[..],
                matches!(
                    kind,
                    StoreKind::OrangeFs | StoreKind::GlusterFs | StoreKind::MooseFs
                ),
                "orangefs, glusterfs and moosefs",
            ),
            (&of_both[..], kind.is_parallel(), "pvfs1 and orangefs"),
            (&of_pvfs1[..], kind == StoreKind::Pvfs1, "pvfs1"),
            (&of_orangefs[..], kind == StoreKind::OrangeFs, "orangefs"),
        ];
        first_of_others(&groups)
    }

    /// What they say of a store on `servers`, where these nodes are file servers.
    ///
    /// # Errors
    /// More stripes than servers, sizes that cannot be, and a metadata server that is no file server.
    pub fn options(
        &self,
        file: &TomlFile,
        servers: &[String],
        file_servers: &[&str],
    ) -> Result<ParallelOptions, FileError> {
        let wrong = |key: &str, span: Range<usize>, message: String| {
            file.error(span, format!("`{key}` in [store.options]: {message}"))
        };
        if let Some(metadata) = self.metadata
            && !file_servers.contains(&metadata.get_ref().as_str())
        {
            let name = metadata.get_ref();
            let known = there_are(name, file_servers);
            let message = format!("no node with server = \"files\" is called `{name}`; {known}");
            return Err(wrong("metadata", metadata.span(), message));
        }
        if let Some(stripes) = self.stripes {
            let count = servers.len();
            let most = u32::try_from(count).unwrap_or(u32::MAX);
            if !(1..=most).contains(stripes.get_ref()) {
                let message =
                    format!("must be from 1 to {count}, as the store has {count} servers");
                return Err(wrong("stripes", stripes.span(), message));
            }
        }
        for (key, size) in [("strip", self.strip), ("flow_buffer", self.flow_buffer)] {
            if let Some(size) = size
                && !is_whole(size.get_ref().0)
            {
                let message = format!(
                    "must be a multiple of {PAGE_BYTES} above 0 and up to {MOST_BYTES}, such as \"64KiB\""
                );
                return Err(wrong(key, size.span(), message));
            }
        }
        if let Some(size) = self.read_size
            && !is_read(size.get_ref().0)
        {
            let message = format!(
                "must be a multiple of {SENT_BYTES} above 0 and up to {MOST_READ_BYTES}, such as \"192KiB\""
            );
            return Err(wrong("read_size", size.span(), message));
        }
        if let Some(limit) = self.eager_limit
            && !EAGER_BYTES.contains(&limit.get_ref().0)
        {
            let (least, most) = (*EAGER_BYTES.start(), *EAGER_BYTES.end());
            let message = format!("must be from {least} to {most} bytes");
            return Err(wrong("eager_limit", limit.span(), message));
        }
        Ok(self.said())
    }

    /// What they say, once it can be.
    fn said(&self) -> ParallelOptions {
        let bytes = |size: Option<&Spanned<Bytes>>| size.map(|it| it.get_ref().0);
        let linear = |it: &Spanned<ReceiveBuffers>| *it.get_ref() == ReceiveBuffers::Linear;
        ParallelOptions {
            metadata: self.metadata.map(|it| it.get_ref().clone()),
            strip_bytes: bytes(self.strip),
            stripes: self.stripes.map(|it| *it.get_ref()),
            read_bytes: bytes(self.read_size),
            has_linear_buffers: self.receive_buffers.is_some_and(linear),
            eager_bytes: bytes(self.eager_limit),
            flow_buffer_bytes: bytes(self.flow_buffer),
            flow_buffers: self.flow_buffers.map(|it| it.get_ref().0),
            cache_s: self.cache_s.map(|it| it.get_ref().0),
            is_fuse: self.client.is_some_and(|it| *it.get_ref() == Client::Fuse),
        }
    }
}

fn is_whole(bytes: u64) -> bool {
    (1..=MOST_BYTES).contains(&bytes) && bytes.is_multiple_of(PAGE_BYTES)
}

/// Whether a web server may read so many bytes at a time: it sends them in whole parts.
fn is_read(bytes: u64) -> bool {
    (1..=MOST_READ_BYTES).contains(&bytes) && bytes.is_multiple_of(SENT_BYTES)
}
