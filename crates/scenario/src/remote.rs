//! Stores on file servers: which nodes have them, on what, and how clients mount them.

use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::bounds::{self, CallsInFlight, FlowBuffers, HeldS, MinorVersion, Whole};
use crate::cluster::{ClusterKeys, ClusterOptions};
use crate::names::there_are;
use crate::parallel::{Client, ParallelKeys, ParallelOptions, ReceiveBuffers};
use crate::specs::StoreKind;
use crate::toml_file::{Bytes, BytesOrNone, FileError, OneOrMany, Place, TomlFile};

/// Where a store is that file servers have, and how clients mount it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteSpec {
    /// Names of the nodes that have it, each with `server = "files"`.
    pub servers: Vec<String>,
    /// Name of the store that the servers keep its files on.
    pub on: String,
    /// How clients mount it, by NFS.
    pub options: MountOptions,
    /// How it is laid out and reached, of a parallel file system.
    pub parallel: Option<ParallelOptions>,
    /// Where the file names the store.
    pub at: Place,
}

/// How clients mount a store (`man 5 nfs`). What is absent is as the client's kernel has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MountOptions {
    /// Most bytes of a READ.
    pub read_bytes: Option<u64>,
    /// Most bytes of a WRITE.
    pub write_bytes: Option<u64>,
    /// How long attributes are taken to hold, seconds.
    pub attributes_s: Option<u32>,
    /// Every write returns when it is on the server's disk.
    pub sync: bool,
    /// Of version 4, what comes after the point.
    pub minor_version: Option<u8>,
    /// The server answers before what is to be on its disk is there (`async`, `man 5 exports`).
    pub is_async: bool,
    /// Calls are datagrams of UDP, not a connection of TCP; of version 2 they always are.
    pub is_udp: bool,
    /// How long a client waits for an answer at first, tenths of a second.
    pub timeo: Option<u32>,
    /// How often it waits longer before a soft mount gives up.
    pub retrans: Option<u32>,
    /// A call without an answer fails after a while; else the client goes on for ever.
    pub is_soft: bool,
}

/// `[store.options]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct OptionsTable {
    rsize: Option<Spanned<MessageBytes>>,
    wsize: Option<Spanned<MessageBytes>>,
    actimeo: Option<HeldS>,
    #[serde(default)]
    sync: bool,
    minorversion: Option<Spanned<MinorVersion>>,
    #[serde(default)]
    export: Export,
    #[serde(default)]
    proto: Option<Spanned<Proto>>,
    #[serde(default, deserialize_with = "timeo")]
    timeo: Option<u32>,
    #[serde(default, deserialize_with = "retrans")]
    retrans: Option<u32>,
    #[serde(default)]
    soft: bool,
    metadata: Option<Spanned<String>>,
    strip: Option<Spanned<Bytes>>,
    stripes: Option<Spanned<u32>>,
    read_size: Option<Spanned<Bytes>>,
    receive_buffers: Option<Spanned<ReceiveBuffers>>,
    eager_limit: Option<Spanned<Bytes>>,
    flow_buffer: Option<Spanned<Bytes>>,
    flow_buffers: Option<Spanned<FlowBuffers>>,
    cache_s: Option<Spanned<HeldS>>,
    client: Option<Spanned<Client>>,
    rpcs_in_flight: Option<Spanned<CallsInFlight>>,
    rpc_size: Option<Spanned<Bytes>>,
    read_ahead: Option<Spanned<BytesOrNone>>,
    redundancy: Option<Spanned<u32>>,
    io_cache: Option<Spanned<BytesOrNone>>,
    quick_read: Option<Spanned<BytesOrNone>>,
    copies: Option<Spanned<u32>>,
    entry_cache_s: Option<Spanned<HeldS>>,
}

/// What carries calls (`man 5 nfs`).
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Proto {
    /// A connection.
    Tcp,
    /// Datagrams.
    Udp,
}

/// Tenths of a second that a client may wait at first: the kernel waits no longer than ten minutes (`NFS_MAX_TCP_TIMEOUT`).
const TIMEO: RangeInclusive<u64> = 1..=6000;
/// How often it may wait longer.
const RETRANS: RangeInclusive<u64> = 0..=20;

fn timeo<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    whole(deserializer, &TIMEO)
}

fn retrans<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    whole(deserializer, &RETRANS)
}

fn whole<'de, D: Deserializer<'de>>(
    deserializer: D,
    range: &RangeInclusive<u64>,
) -> Result<Option<u32>, D::Error> {
    use serde::de::Error;
    let number = Whole::deserialize(deserializer)?;
    bounds::whole(&number, range)
        .map(Some)
        .map_err(D::Error::custom)
}

/// When the server answers what is to be on its disk (`man 5 exports`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Export {
    /// When it is there.
    #[default]
    Sync,
    /// At once.
    Async,
}

/// What a message may have of a file: whole pages, at most as much as Linux sends at a time (`NFS_MAX_FILE_IO_SIZE`).
const MESSAGE_BYTES: RangeInclusive<u64> = 4096..=1 << 20;

/// Most bytes that a message of a version may have: `NFS_MAXDATA` (RFC 1094) of version 2, and `RPCSVC_MAXPAYLOAD_UDP` over UDP.
const MOST_V2_BYTES: u64 = 8 << 10;
const MOST_UDP_BYTES: u64 = 32 << 10;

/// What a message has of a file, bytes.
#[derive(Clone, Copy, Deserialize)]
struct MessageBytes(#[serde(deserialize_with = "message_bytes")] u64);

fn message_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    use serde::de::Error;
    let Bytes(bytes) = Bytes::deserialize(deserializer)?;
    match MESSAGE_BYTES.contains(&bytes) && bytes % MESSAGE_BYTES.start() == 0 {
        true => Ok(bytes),
        false => Err(D::Error::custom(format!(
            "{bytes} bytes are none that a message may have; write a multiple of {} up to {}",
            MESSAGE_BYTES.start(),
            MESSAGE_BYTES.end()
        ))),
    }
}

impl OptionsTable {
    /// The keys of parallel file systems.
    fn parallel(&self) -> ParallelKeys<'_> {
        ParallelKeys {
            metadata: self.metadata.as_ref(),
            strip: self.strip.as_ref(),
            stripes: self.stripes.as_ref(),
            read_size: self.read_size.as_ref(),
            receive_buffers: self.receive_buffers.as_ref(),
            eager_limit: self.eager_limit.as_ref(),
            flow_buffer: self.flow_buffer.as_ref(),
            flow_buffers: self.flow_buffers.as_ref(),
            cache_s: self.cache_s.as_ref(),
            client: self.client.as_ref(),
        }
    }

    /// The keys of Lustre, GlusterFS and MooseFS.
    fn cluster(&self) -> ClusterKeys<'_> {
        ClusterKeys {
            metadata: self.metadata.as_ref(),
            strip: self.strip.as_ref(),
            stripes: self.stripes.as_ref(),
            rpcs_in_flight: self.rpcs_in_flight.as_ref(),
            rpc_size: self.rpc_size.as_ref(),
            read_ahead: self.read_ahead.as_ref(),
            redundancy: self.redundancy.as_ref(),
            io_cache: self.io_cache.as_ref(),
            quick_read: self.quick_read.as_ref(),
            copies: self.copies.as_ref(),
            cache_s: self.cache_s.as_ref(),
            entry_cache_s: self.entry_cache_s.as_ref(),
        }
    }

    /// A key of NFS that is said.
    fn of_nfs(&self) -> Option<&'static str> {
        let keys = [
            ("rsize", self.rsize.is_some()),
            ("wsize", self.wsize.is_some()),
            ("actimeo", self.actimeo.is_some()),
            ("sync", self.sync),
            ("minorversion", self.minorversion.is_some()),
            ("export", self.export == Export::Async),
            ("proto", self.proto.is_some()),
            ("timeo", self.timeo.is_some()),
            ("retrans", self.retrans.is_some()),
            ("soft", self.soft),
        ];
        let said = keys.into_iter().find(|(_, is_said)| *is_said);
        said.map(|(key, _)| key)
    }

    /// Refuses keys that the kind does not have.
    fn check_keys(own: &Spanned<Self>, file: &TomlFile, kind: StoreKind) -> Result<(), FileError> {
        let table = own.get_ref();
        let of_nfs = table.of_nfs().filter(|_| !kind.is_nfs());
        let of_nfs = of_nfs.map(|key| (key, "nfs2, nfs3 and nfs4", own.span()));
        let (parallel, cluster) = (table.parallel(), table.cluster());
        let of_others = parallel.of_others(kind).into_iter();
        let of_others = of_others.chain(cluster.of_others(kind));
        let first = || of_others.min_by_key(|(_, _, span)| span.start);
        let Some((key, kinds, span)) = of_nfs.or_else(first) else {
            return Ok(());
        };
        let message = format!(
            "`{key}` in [store.options]: is of {kinds}, not of {}; take it out",
            kind.name()
        );
        Err(file.error(span, message))
    }

    fn options(&self, file: &TomlFile, kind: StoreKind) -> Result<MountOptions, FileError> {
        if let Some(minor) = &self.minorversion
            && kind != StoreKind::Nfs4
        {
            let message = "`minorversion` in [store.options]: is of kind = \"nfs4\"; take it out";
            return Err(file.error(minor.span(), message));
        }
        let is_udp = self.is_udp(file, kind)?;
        self.check_sizes(file, kind, is_udp)?;
        Ok(MountOptions {
            is_udp,
            timeo: self.timeo,
            retrans: self.retrans,
            is_soft: self.soft,
            read_bytes: self.rsize.as_ref().map(|it| it.get_ref().0),
            write_bytes: self.wsize.as_ref().map(|it| it.get_ref().0),
            attributes_s: self.actimeo.as_ref().map(|it| it.0),
            sync: self.sync,
            minor_version: self.minorversion.as_ref().map(|it| it.get_ref().0),
            is_async: self.export == Export::Async,
        })
    }
}

impl OptionsTable {
    /// Whether calls are datagrams: version 2 has nothing else here, version 4 a connection.
    fn is_udp(&self, file: &TomlFile, kind: StoreKind) -> Result<bool, FileError> {
        let Some(proto) = &self.proto else {
            return Ok(kind == StoreKind::Nfs2);
        };
        let message = match (kind, *proto.get_ref()) {
            (StoreKind::Nfs4, Proto::Udp) => "nfs4 is over TCP alone",
            (StoreKind::Nfs2, Proto::Tcp) => "nfs2 is over UDP alone",
            (_, proto) => return Ok(proto == Proto::Udp),
        };
        let message =
            format!("`proto` in [store.options]: {message}; take it out, or write kind = \"nfs3\"");
        Err(file.error(proto.span(), message))
    }

    /// Refuses messages that are larger than the version or UDP allows.
    fn check_sizes(&self, file: &TomlFile, kind: StoreKind, is_udp: bool) -> Result<(), FileError> {
        let (most_bytes, of, otherwise) = match kind {
            StoreKind::Nfs2 => (MOST_V2_BYTES, "nfs2", "kind = \"nfs3\""),
            _ if is_udp => (MOST_UDP_BYTES, "a datagram", "proto = \"tcp\""),
            _ => return Ok(()),
        };
        for (key, size) in [("rsize", &self.rsize), ("wsize", &self.wsize)] {
            if let Some(size) = size
                && size.get_ref().0 > most_bytes
            {
                let message = format!(
                    "`{key}` in [store.options]: {of} has at most {most_bytes} bytes of a file; write \"{}KiB\" or less, or {otherwise}",
                    most_bytes >> 10
                );
                return Err(file.error(size.span(), message));
            }
        }
        Ok(())
    }
}

/// What a `[[store]]` says of file servers.
pub(crate) struct RemoteTable<'t> {
    pub name: &'t Spanned<String>,
    pub kind: Option<StoreKind>,
    pub servers: Option<&'t Spanned<OneOrMany<String>>>,
    pub on: Option<&'t Spanned<String>>,
    pub options: Option<&'t Spanned<OptionsTable>>,
}

/// Names that a store on file servers may name.
pub(crate) struct RemoteNames<'n> {
    /// Nodes that are file servers.
    pub file_servers: Vec<&'n str>,
    /// Stores that are not on file servers themselves.
    pub local_stores: Vec<&'n str>,
}

impl RemoteTable<'_> {
    /// Where it is; nothing of a store that is not on file servers.
    ///
    /// # Errors
    /// A store on file servers without a server or a disk, and another one that names some.
    pub fn spec(
        &self,
        file: &TomlFile,
        names: &RemoteNames<'_>,
    ) -> Result<Option<RemoteSpec>, FileError> {
        match self.kind {
            Some(kind) if kind.is_on_servers() => self.on_servers(file, names, kind).map(Some),
            // On servers of its own where it names neither.
            Some(kind) if kind.is_cluster() => match (self.servers, self.on) {
                (None, None) => Ok(None),
                _ => self.on_servers(file, names, kind).map(Some),
            },
            _ => self.on_none(file).map(|()| None),
        }
    }

    /// How it is laid out and reached, of Lustre, GlusterFS and MooseFS.
    ///
    /// # Errors
    /// Options that cannot be, and those of other kinds.
    pub fn cluster(
        &self,
        file: &TomlFile,
        names: &RemoteNames<'_>,
    ) -> Result<Option<ClusterOptions>, FileError> {
        let Some(kind) = self.kind.filter(|kind| kind.is_cluster()) else {
            return Ok(None);
        };
        let Some(options) = self.options else {
            return Ok(Some(ClusterOptions::default()));
        };
        OptionsTable::check_keys(options, file, kind)?;
        let servers = self.servers.map_or(&[][..], |it| &it.get_ref().0);
        let keys = options.get_ref().cluster();
        keys.options(file, servers, &names.file_servers).map(Some)
    }

    fn on_none(&self, file: &TomlFile) -> Result<(), FileError> {
        let servers = self.servers.map(|it| ("servers", it.span()));
        let on = self.on.map(|it| ("on", it.span()));
        let options = self.options.map(|it| ("options", it.span()));
        match servers.or(on).or(options) {
            None => Ok(()),
            Some((key, span)) => {
                let message = format!(
                    "`{key}` in [[store]]: is of stores on file servers; write kind = \"nfs2\", \"nfs3\", \"nfs4\", \"pvfs1\", \"orangefs\", \"lustre\", \"glusterfs\" or \"moosefs\", or take it out"
                );
                Err(file.error(span, message))
            }
        }
    }

    /// The names of its servers: nodes that are there, each once.
    fn known_servers(
        &self,
        file: &TomlFile,
        names: &RemoteNames<'_>,
        kind: StoreKind,
    ) -> Result<&[String], FileError> {
        let servers = self.servers.map_or(&[][..], |it| &it.get_ref().0);
        let place = self.servers.map_or(self.name.span(), Spanned::span);
        let wrong_servers = |message: String| {
            Err(file.error(place.clone(), format!("`servers` in [[store]]: {message}")))
        };
        match servers.len() {
            0 if !kind.is_nfs() => {
                return wrong_servers(format!(
                    "name the nodes that have the {} store",
                    kind.name()
                ));
            }
            count if kind.is_nfs() && count != 1 => {
                return wrong_servers(format!(
                    "an {} store is on one node; name it; {}",
                    kind.name(),
                    there_are("", &names.file_servers)
                ));
            }
            _ => {}
        }
        let is_known = |server: &&String| names.file_servers.contains(&server.as_str());
        if let Some(server) = servers.iter().find(|server| !is_known(server)) {
            let known = there_are(server, &names.file_servers);
            return wrong_servers(format!(
                "no node with server = \"files\" is called `{server}`; {known}"
            ));
        }
        let twice = servers.iter().enumerate();
        let mut twice = twice.filter(|(place, server)| servers[..*place].contains(server));
        match twice.next_back() {
            Some((_, server)) => {
                wrong_servers(format!("names `{server}` twice; name each node once"))
            }
            None => Ok(servers),
        }
    }

    /// The name of the store that each server keeps its files on, which is there.
    fn known_disk(&self, file: &TomlFile, names: &RemoteNames<'_>) -> Result<&str, FileError> {
        let wrong_on =
            |span, message: String| Err(file.error(span, format!("`on` in [[store]]: {message}")));
        let Some(on) = self.on else {
            return wrong_on(
                self.name.span(),
                format!(
                    "name the store that the server keeps its files on; {}",
                    there_are("", &names.local_stores)
                ),
            );
        };
        if !names.local_stores.contains(&on.get_ref().as_str()) {
            let known = there_are(on.get_ref(), &names.local_stores);
            return wrong_on(
                on.span(),
                format!("no local [[store]] is called `{}`; {known}", on.get_ref()),
            );
        }
        Ok(on.get_ref())
    }

    fn on_servers(
        &self,
        file: &TomlFile,
        names: &RemoteNames<'_>,
        kind: StoreKind,
    ) -> Result<RemoteSpec, FileError> {
        let servers = self.known_servers(file, names, kind)?;
        let on = self.known_disk(file, names)?;
        if let Some(options) = self.options {
            OptionsTable::check_keys(options, file, kind)?;
        }
        let options = self.options.map(|it| it.get_ref().options(file, kind));
        Ok(RemoteSpec {
            servers: servers.to_vec(),
            on: on.to_owned(),
            options: options.transpose()?.unwrap_or(MountOptions {
                is_udp: kind == StoreKind::Nfs2,
                ..MountOptions::default()
            }),
            parallel: match kind.is_parallel() {
                true => Some(self.parallel(file, servers, names)?),
                false => None,
            },
            at: file.place(self.name.span()),
        })
    }

    /// What is said of a parallel file system.
    fn parallel(
        &self,
        file: &TomlFile,
        servers: &[String],
        names: &RemoteNames<'_>,
    ) -> Result<ParallelOptions, FileError> {
        match self.options {
            Some(options) => {
                let keys = options.get_ref().parallel();
                keys.options(file, servers, &names.file_servers)
            }
            None => Ok(ParallelOptions::default()),
        }
    }
}
