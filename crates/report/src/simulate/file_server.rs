//! What jobs of fio had to do with a file server.

use std::collections::BTreeMap;

use hotset_models::fio::JobResult;
use hotset_models::remote::BothWays;
use hotset_models::remote::nfs::RemoteResult;
use hotset_outcome::Resource;
use serde::Serialize;

use super::not_modelled::not_modelled;
use crate::{Cell, Table, number, printable};

/// A store on a file server.
pub struct FileServerView<'a> {
    /// Name of the store.
    pub store: &'a str,
    /// Its kind.
    pub kind: &'static str,
    /// Name of the node that jobs run on.
    pub client: &'a str,
    /// How many machines like it run the jobs.
    pub clients: usize,
    /// Name of the node that has the files.
    pub server: &'a str,
    /// Most bytes of a READ.
    pub read_bytes: u64,
    /// Most bytes of a WRITE.
    pub write_bytes: u64,
    /// Memory of the server for pages of files.
    pub server_memory_bytes: u64,
    /// Whether what calls cost processors was measured, at both ends.
    pub are_costs_measured: bool,
    /// Keys of the scenario that are not followed.
    pub not_modelled: &'a [String],
    /// Where a parallel file system has what. READ and WRITE are of others.
    pub striping: Option<StripingView<'a>>,
    /// The servers of Lustre, GlusterFS or MooseFS. READ and WRITE are of others.
    pub cluster: Option<ClusterView<'a>>,
}

/// The servers of a file system whose clients cache.
pub struct ClusterView<'a> {
    /// Names of those with data.
    pub servers: &'a [String],
    /// Name of the one with the metadata; none where all have a part of that.
    pub metadata: Option<&'a str>,
    /// The scenario names none, and they are like those that the lab makes.
    pub are_own: bool,
}

/// Where a parallel file system has what.
pub struct StripingView<'a> {
    /// Names of the nodes that have data.
    pub servers: &'a [String],
    /// Name of the node that has the metadata.
    pub metadata: &'a str,
    /// Bytes of a strip.
    pub strip_bytes: u64,
    /// Servers that have a part of each file.
    pub stripes: u32,
}

/// The same in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct StripingValue<'a> {
    /// Names of the nodes that have data.
    servers: &'a [String],
    /// Name of the node that has the metadata.
    metadata: &'a str,
    /// Bytes of a strip, which PVFS 1 calls a stripe.
    strip_bytes: u64,
    /// Servers that have a part of each file.
    stripes: u32,
}

/// The servers of a file system whose clients cache.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ClusterValue<'a> {
    /// Names of those with data.
    servers: &'a [String],
    /// Name of the one with the metadata; null where all have a part of that.
    metadata: Option<&'a str>,
    /// Whether the scenario names none, and they are like those that the lab makes.
    own: bool,
}

/// The same in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct FileServerValue<'a> {
    /// Name of the store.
    store: &'a str,
    /// Its kind.
    kind: &'a str,
    /// Name of the node that jobs run on.
    client: &'a str,
    /// How many machines like it run the jobs, each on files of its own. Figures are of all of them together.
    clients: usize,
    /// Name of the node that has the files; of a parallel file system, of all that have data.
    server: &'a str,
    /// Most bytes of a READ, of NFS.
    #[serde(skip_serializing_if = "Option::is_none")]
    rsize: Option<u64>,
    /// Most bytes of a WRITE, of NFS.
    #[serde(skip_serializing_if = "Option::is_none")]
    wsize: Option<u64>,
    /// Only of a parallel file system: where it has what.
    #[serde(skip_serializing_if = "Option::is_none")]
    striping: Option<StripingValue<'a>>,
    /// Only of Lustre, GlusterFS and MooseFS: their servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<ClusterValue<'a>>,
    /// Memory of the server for pages of files, bytes.
    server_memory_bytes: u64,
    /// Whether what calls cost processors was measured at both ends; it is assumed where it was not.
    costs_measured: bool,
    /// Keys of the scenario that the simulation does not follow.
    not_modelled: &'a [String],
}

/// What the clients and the file server had to do with each other while a job's stage ran.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct RemoteFigures<'a> {
    /// How many calls were answered, by the name that nfsstat -c has for each. A compound of version 4 goes by its main operation.
    calls: BTreeMap<&'a str, u64>,
    /// Mean time of the same, microseconds.
    calls_mean_us: BTreeMap<&'a str, f64>,
    /// Where the time of a call goes, in the mean over all.
    call_parts: CallPartsValue,
    /// Mean number of calls under way.
    calls_under_way: f64,
    /// Bytes on the clients' links, with headers of IP and TCP.
    link_bytes: BothWays,
    /// Packets on the clients' links.
    link_packets: BothWays,
    /// Bytes on each link of the scenario, with the same headers: from the client to the server (sent), and back.
    links: Vec<LinkValue<'a>>,
    /// The share of reads at the server that waited for no disk; null where there was none.
    server_hits: Option<f64>,
    /// What was busy for the largest share of the time, of the client, the links and the server.
    busiest: Option<BusiestValue<'a>>,
}

/// Where the time of a call goes.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct CallPartsValue {
    /// The client's processors, and waiting for them or for a slot of the session, microseconds.
    client_us: f64,
    /// Links, both ways.
    network_us: f64,
    /// Waiting for a thread of the server.
    threads_us: f64,
    /// With a thread of the server: its processors and disks.
    server_us: f64,
}

/// What a link carried.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct LinkValue<'a> {
    /// Its name.
    name: &'a str,
    /// Bytes.
    bytes: BothWays,
}

/// What was busiest.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct BusiestValue<'a> {
    /// Name of the resource.
    resource: &'a str,
    /// Share of the time in which it was busy.
    utilisation: f64,
}

impl<'a> RemoteFigures<'a> {
    /// Those of a job on a file server.
    pub fn of(result: &'a JobResult) -> Option<Self> {
        let remote = result.remote.as_ref()?;
        let calls = || remote.calls.iter();
        let links = remote.links.iter().map(|link| LinkValue {
            name: &link.name,
            bytes: link.bytes,
        });
        let busiest = busiest(result).and_then(|resource| {
            Some(BusiestValue {
                resource: &resource.name,
                utilisation: resource.utilisation?,
            })
        });
        Some(Self {
            calls: calls().map(|(name, it)| (*name, it.count)).collect(),
            calls_mean_us: calls().map(|(name, it)| (*name, it.mean_us)).collect(),
            call_parts: CallPartsValue {
                client_us: remote.parts.client_us,
                network_us: remote.parts.network_us,
                threads_us: remote.parts.threads_us,
                server_us: remote.parts.server_us,
            },
            calls_under_way: remote.mean_under_way,
            link_bytes: remote.link_bytes,
            link_packets: remote.link_packets,
            links: links.collect(),
            server_hits: remote.server_hit_ratio(),
            busiest,
        })
    }
}

/// What was busy for the largest share of the time.
pub(super) fn busiest(result: &JobResult) -> Option<&Resource> {
    let resources = result.outcome.resources.iter();
    let busy = resources.filter(|it| it.utilisation.is_some_and(|busy| busy > 0.0));
    busy.max_by(|a, b| {
        let [a, b] = [a, b].map(|it| it.utilisation.unwrap_or_default());
        a.total_cmp(&b)
    })
}

/// Results on a file server, with their jobs.
fn on_server(results: &[JobResult]) -> impl Iterator<Item = (&str, &RemoteResult)> {
    let results = results.iter();
    results.filter_map(|it| Some((it.outcome.name.as_str(), it.remote.as_ref()?)))
}

/// A row for each kind of call of each job.
pub(super) fn calls(results: &[JobResult]) -> impl Into<Table> {
    let calls = on_server(results)
        .flat_map(|(job, remote)| remote.calls.iter().map(move |call| (job, call)));
    Table::of(calls)
        .flexible("job", |it| it.0)
        .text("call", |it| *it.1.0)
        .count("calls", |it| it.1.1.count)
        .duration("mean", |it| Some(it.1.1.mean_us))
}

/// Where the time of a call goes, a row for each job.
pub(super) fn parts(results: &[JobResult]) -> impl Into<Table> {
    Table::of(on_server(results))
        .flexible("job", |it| it.0)
        .duration("client", |it| Some(it.1.parts.client_us))
        .duration("network", |it| Some(it.1.parts.network_us))
        .duration("for a thread", |it| Some(it.1.parts.threads_us))
        .duration("server", |it| Some(it.1.parts.server_us))
        .plain("under way", |it| it.1.mean_under_way)
        .percent("server's hits", |it| it.1.server_hit_ratio())
}

/// What passed the clients' links, a row for each job.
pub(super) fn links(results: &[JobResult]) -> impl Into<Table> {
    Table::of(on_server(results))
        .flexible("job", |it| it.0)
        .bytes("sent", |it| it.1.link_bytes.sent)
        .bytes("received", |it| it.1.link_bytes.received)
        .count("packets sent", |it| it.1.link_packets.sent)
        .count("packets received", |it| it.1.link_packets.received)
}

/// A row for each resource of each job.
pub(super) fn busy(results: &[JobResult]) -> impl Into<Table> {
    let results = results.iter();
    let resources = results.flat_map(|it| {
        it.outcome
            .resources
            .iter()
            .map(move |of| (&it.outcome.name, of))
    });
    Table::of(resources)
        .flexible("job", |it| it.0)
        .text("resource", |it| &it.1.name)
        .percent("busy", |it| it.1.utilisation)
        .plain("there", |it| it.1.mean_queue_length)
}

impl<'a> FileServerView<'a> {
    pub(super) fn value(&self) -> FileServerValue<'a> {
        FileServerValue {
            store: self.store,
            kind: self.kind,
            client: self.client,
            clients: self.clients,
            server: self.server,
            rsize: self.is_nfs().then_some(self.read_bytes),
            wsize: self.is_nfs().then_some(self.write_bytes),
            striping: self.striping.as_ref().map(|it| StripingValue {
                servers: it.servers,
                metadata: it.metadata,
                strip_bytes: it.strip_bytes,
                stripes: it.stripes,
            }),
            cluster: self.cluster.as_ref().map(|it| ClusterValue {
                servers: it.servers,
                metadata: it.metadata,
                own: it.are_own,
            }),
            server_memory_bytes: self.server_memory_bytes,
            costs_measured: self.are_costs_measured,
            not_modelled: self.not_modelled,
        }
    }

    fn is_nfs(&self) -> bool {
        self.striping.is_none() && self.cluster.is_none()
    }

    /// What jobs ran on.
    pub(super) fn place(&self) -> String {
        let clients = match self.clients {
            1 => String::new(),
            clients => format!("{clients} machines like "),
        };
        format!(
            "{} ({}) of {}, mounted by {clients}{}",
            printable(self.store),
            self.kind,
            printable(self.server),
            printable(self.client)
        )
    }

    /// What readers have to know of a parallel file system.
    fn remarks_of_parallel(&self, striping: &StripingView<'_>) -> String {
        let costs = match (self.are_costs_measured, self.kind) {
            (true, _) => "",
            (false, "orangefs") => {
                "What a call costs processors is taken from OrangeFS 2.10 on loopback; a server profile with [files] and [files-client] has what \
                 was measured. "
            }
            (false, _) => {
                "What a call costs processors is assumed: 15 µs and 0.25 ns a byte at each end, and a microsecond for each packet that a server \
                 receives. "
            }
        };
        let not_modelled = not_modelled(self.not_modelled);
        format!(
            "Files are in strips of {} on {} of {} servers; {} has the metadata. {costs}{not_modelled}The servers have {} of memory for files in all. Clients \
             have no page cache, and every request goes to the servers; fsync ends at once. Windows and slow start of TCP are not followed, nor \
             lost packets. ",
            number::bytes(striping.strip_bytes),
            striping.stripes,
            striping.servers.len(),
            printable(striping.metadata),
            number::bytes(self.server_memory_bytes)
        )
    }

    /// What readers have to know of Lustre, GlusterFS and MooseFS.
    fn remarks_of_cluster(&self, cluster: &ClusterView<'_>) -> String {
        let metadata = match cluster.metadata {
            Some(name) => format!("{} has the metadata. ", printable(name)),
            None => String::new(),
        };
        let memory = match (cluster.are_own, self.server_memory_bytes) {
            (true, _) => {
                "The scenario names no servers: they are like the three that the lab makes, with a link like the client's, memory for all \
                 files, and an SSD where [store.disk] says nothing else. "
                    .to_owned()
            }
            (false, bytes) => format!(
                "The servers have {} of memory for files in all. ",
                number::bytes(bytes)
            ),
        };
        let costs = match self.are_costs_measured {
            true => "",
            false => {
                "What a call costs processors is assumed: 15 µs and 0.25 ns a byte at each end; a server profile with [files] and \
                 [files-client] has what was measured. "
            }
        };
        let own = match self.kind {
            "lustre" => "The lab cannot stand Lustre up, so it is simulated only. ",
            _ => {
                "A request to the client's daemon of FUSE costs 20 µs and 0.12 ns a byte besides, taken from that of OrangeFS. What was written \
                 is synced when a file is closed, and that counts as fsync. "
            }
        };
        let not_modelled = not_modelled(self.not_modelled);
        format!(
            "{metadata}{memory}{costs}{own}{not_modelled}Messages without data have sizes that are assumed. Windows and slow start of TCP are not followed, \
             nor lost packets. "
        )
    }

    /// Where files are when the first job begins.
    pub(super) fn caveat(&self) -> &'static str {
        match self.striping {
            None if self.cluster.is_some() => {
                "Files are in the memory of clients and servers when the first job begins, as far as they fit; invalidate=1, fio's default, drops \
                 them from the clients' again. Nothing was compared with fio on such a mount yet."
            }
            None => {
                "Files are in the memory of both machines when the first job begins, as far as they fit; invalidate=1, fio's default, drops them \
                 from the client's again."
            }
            Some(_) => {
                "Files that jobs read are in the servers' memory when the first job begins, as far as they fit. Nothing was compared with fio on \
                 such a mount yet."
            }
        }
    }

    /// What readers have to know.
    pub(super) fn remarks(&self) -> String {
        if let Some(striping) = &self.striping {
            return self.remarks_of_parallel(striping);
        }
        if let Some(cluster) = &self.cluster {
            return self.remarks_of_cluster(cluster);
        }
        let costs = match self.are_costs_measured {
            true => "",
            false => {
                "What a call costs processors is assumed: 15 µs and 0.25 ns a byte at each end; a server profile with [files] and \
                 [files-client] has what was measured. "
            }
        };
        let not_modelled = not_modelled(self.not_modelled);
        format!(
            "{costs}{not_modelled}The server has {} of memory for files. A file that was written is synced when it is closed, and that counts \
             as fsync. Lost packets are not followed. Nothing on a file server was compared with fio yet. ",
            number::bytes(self.server_memory_bytes)
        )
    }
}

/// What most of the time of a job on a file server goes by; else what the job itself says.
pub(super) fn bottleneck(result: &JobResult) -> Cell {
    let own = result.bottleneck.map(|it| it.name());
    match &result.remote {
        None => Cell::known(own),
        Some(_) => Cell::known(busiest(result).map(|it| it.name.as_str()).or(own)),
    }
}
