//! `hotset simulate files`.

use std::collections::BTreeMap;

use hotset_models::files::{ClientResult, FilesResult};
use hotset_models::remote::BothWays;
use serde::Serialize;

use super::not_modelled::not_modelled;
use crate::{Document, Json, Table, Tone, View, number, printable};

/// Operations on files of a file server, simulated.
pub struct FilesView<'a> {
    /// Name of the store.
    pub store: &'a str,
    /// Its kind.
    pub kind: &'a str,
    /// Most bytes of a READ, of NFS.
    pub read_bytes: Option<u64>,
    /// Most bytes of a WRITE, of NFS.
    pub write_bytes: Option<u64>,
    /// Keys of the scenario that are not followed.
    pub not_modelled: &'a [String],
    /// What they came to.
    pub result: &'a FilesResult,
}

/// What `hotset simulate files --json` prints. Calls, bytes, packets and hits are the first client's.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    /// Name of the store that the files are on.
    store: &'a str,
    /// Its kind.
    kind: &'a str,
    /// Most bytes of a READ, of NFS.
    #[serde(skip_serializing_if = "Option::is_none")]
    rsize: Option<u64>,
    /// Most bytes of a WRITE, of NFS.
    #[serde(skip_serializing_if = "Option::is_none")]
    wsize: Option<u64>,
    /// How many calls there were, by the name that nfsstat -c has for each. A compound of version 4 goes by its main operation. Of a parallel file
    /// system, data that follow a call have names of their own. Of others, names are those of their protocols.
    calls: BTreeMap<&'a str, u64>,
    /// Bytes on the client's link, with headers of IP and TCP.
    link_bytes: BothWays,
    /// Packets on the client's link.
    link_packets: BothWays,
    /// The share of the pages read that the client had in memory; null where none was read.
    hits: Option<f64>,
    /// How long the work took, with its sleeps.
    seconds: f64,
    /// The same of each client, the first among them.
    clients: Vec<Client<'a>>,
    /// Keys of the scenario that the simulation does not follow.
    not_modelled: &'a [String],
}

/// What a client did.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Client<'a> {
    /// Its name.
    name: &'a str,
    /// How many calls there were, by their names.
    calls: BTreeMap<&'a str, u64>,
    /// Bytes on its link, with headers of IP and TCP.
    link_bytes: BothWays,
    /// Packets on its link.
    link_packets: BothWays,
    /// The share of the pages read that it had in memory; null where none was read.
    hits: Option<f64>,
}

impl<'a> Client<'a> {
    fn of(client: &'a ClientResult) -> Self {
        let calls = client.calls.iter().map(|(name, count)| (*name, *count));
        Self {
            name: &client.name,
            calls: calls.collect(),
            link_bytes: client.link_bytes,
            link_packets: client.link_packets,
            hits: client.hit_ratio(),
        }
    }
}

/// What readers have to know.
const CAVEAT: &str = "Calls are those of the NFS client of Linux 6.1, one after the other as it makes them. Of the server only a fixed time \
    a call and the store's profile are followed, and of memory that all fits. Calls and bytes of versions 3 and 4.2 were compared with a mount, \
    times and other versions were not.";

/// The same of a parallel file system.
const CAVEAT_OF_PARALLEL: &str = "Messages are those of the client's library, one operation after the other. All files are in the servers' memory at first, and \
    clients cache no data. Nothing was compared with a mount yet.";

/// The same of Lustre, GlusterFS and MooseFS.
const CAVEAT_OF_CLUSTER: &str = "Messages are those of clients that cache, one operation after the other, and what they read ahead and write behind. All files are \
    in the servers' memory at first, and clients' memory never runs out. Nothing was compared with a mount yet.";

impl View for FilesView<'_> {
    /// Which calls there were, and what they put on the links.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.table(move |_| self.links()).heading("Clients");
        to.table(move |_| self.calls()).heading("Calls");
        let caveat = match (self.read_bytes, self.kind) {
            (Some(_), _) => CAVEAT,
            (None, "lustre" | "glusterfs" | "moosefs") => CAVEAT_OF_CLUSTER,
            (None, _) => CAVEAT_OF_PARALLEL,
        };
        to.paragraph(format!("{}{caveat}", not_modelled(self.not_modelled)));
        to
    }

    fn value(&self) -> impl Json {
        let clients = self.result.clients.iter();
        let first = self.result.clients.first();
        let calls = first.into_iter().flat_map(|it| &it.calls);
        Value {
            store: self.store,
            kind: self.kind,
            rsize: self.read_bytes,
            wsize: self.write_bytes,
            calls: calls.map(|(name, count)| (*name, *count)).collect(),
            link_bytes: first.map(|it| it.link_bytes).unwrap_or_default(),
            link_packets: first.map(|it| it.link_packets).unwrap_or_default(),
            hits: first.and_then(ClientResult::hit_ratio),
            seconds: self.result.seconds,
            clients: clients.map(Client::of).collect(),
            not_modelled: self.not_modelled,
        }
    }
}

impl FilesView<'_> {
    fn headline(&self) -> String {
        let first = self.result.clients.first();
        let calls = first.map_or(0, |client| client.calls.values().sum::<u64>());
        format!(
            "{} on {} ({}) in {}",
            number::counted(calls, "call", "calls"),
            printable(self.store),
            self.kind,
            number::duration(self.result.seconds * 1e6)
        )
    }

    fn links(&self) -> impl Into<Table> {
        Table::of(&self.result.clients)
            .flexible("client", |it| &it.name)
            .count("calls", |it| it.calls.values().sum::<u64>())
            .bytes("sent", |it| it.link_bytes.sent)
            .bytes("received", |it| it.link_bytes.received)
            .count("packets sent", |it| it.link_packets.sent)
            .count("packets received", |it| it.link_packets.received)
            .percent("hits", |it| it.hit_ratio())
    }

    /// A row for each kind of call of each client.
    fn calls(&self) -> impl Into<Table> {
        let clients = self.result.clients.iter();
        let calls = clients.flat_map(|client| client.calls.iter().map(move |it| (client, it)));
        Table::of(calls)
            .flexible("client", |it| &it.0.name)
            .text("call", |it| *it.1.0)
            .count("count", |it| *it.1.1)
    }
}
