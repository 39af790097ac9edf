//! The tables of a scenario file, checked against each other.

use std::num::NonZeroU64;
use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::bounds::{ConnectionRequests, Workers};
use crate::database::{Database, DatabaseNames, DatabaseTable};
use crate::event::{EventTable, Names};
use crate::link::{Link, LinkTable, links};
use crate::names::there_are;
use crate::network::NetworkTable;
use crate::node_needs::NeedsTable;
use crate::remote::{OptionsTable, RemoteNames, RemoteTable};
use crate::specs::{self, Balance, DiskTable, ServerKind, ServerSpec, StoreKind, Timeout};
use crate::store_journal::JournalTable;
use crate::toml_file::{Bytes, FileError, OneOrMany, TomlFile};
use crate::writer::{Writer, WriterNames, WriterTable};
use crate::{
    Client, Event, MemorySize, Node, Objective, Profile, Scenario, ServerProfile, Site, StoreSpec,
    Target, check_targets,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Tables {
    objective: Option<Objective>,
    #[serde(default)]
    log: OneOrMany<String>,
    server_profile: Option<Spanned<String>>,
    #[serde(default)]
    site: Vec<SiteTable>,
    #[serde(default)]
    store: Vec<StoreTable>,
    #[serde(default)]
    node: Vec<NodeTable>,
    #[serde(default)]
    link: Vec<LinkTable>,
    network: Option<NetworkTable>,
    #[serde(default)]
    client: Vec<ClientTable>,
    #[serde(default)]
    writer: Vec<WriterTable>,
    #[serde(default)]
    database: Vec<DatabaseTable>,
    #[serde(default)]
    event: Vec<EventTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct SiteTable {
    #[serde(deserialize_with = "site_name")]
    name: Spanned<String>,
    #[serde(default, rename = "match")]
    matches: OneOrMany<String>,
    #[serde(default = "usual_weight", deserialize_with = "weight")]
    weight: f64,
    reservation: Option<Spanned<Bytes>>,
    #[serde(rename = "target")]
    targets: Option<Spanned<OneOrMany<String>>>,
    store: Spanned<String>,
    root: Option<String>,
    #[serde(default = "usual_client_share", deserialize_with = "client_share")]
    client_share: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct StoreTable {
    name: Spanned<String>,
    profile: Spanned<String>,
    kind: Option<StoreKind>,
    size: Option<Bytes>,
    disk: Option<Spanned<DiskTable>>,
    servers: Option<Spanned<OneOrMany<String>>>,
    on: Option<Spanned<String>>,
    options: Option<Spanned<OptionsTable>>,
    journal: Option<Spanned<JournalTable>>,
    dirty_limit: Option<Spanned<Bytes>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct NodeTable {
    name: Spanned<String>,
    memory: MemorySize,
    server_memory: Option<Spanned<Bytes>>,
    #[serde(default, deserialize_with = "specs::cpus")]
    cpus: Option<f64>,
    #[serde(default = "usual_cpu_speed", deserialize_with = "specs::cpu_speed")]
    cpu_speed: f64,
    workers: Option<Workers>,
    system: Option<Spanned<String>>,
    system_files: Option<Spanned<Bytes>>,
    logs: Option<Spanned<String>>,
    keep_alive: Option<Spanned<Timeout>>,
    keep_alive_requests: Option<Spanned<ConnectionRequests>>,
    worker_memory: Option<Spanned<Bytes>>,
    swap: Option<Spanned<Bytes>>,
    #[serde(default)]
    groups: bool,
    #[serde(default)]
    server: ServerKind,
    cache: Option<Spanned<bool>>,
    upstream: Option<Spanned<OneOrMany<String>>>,
    balance: Option<Spanned<Balance>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct ClientTable {
    name: Spanned<String>,
    asks: Spanned<String>,
    clients: NonZeroU64,
    #[serde(default, deserialize_with = "specs::some_time_ns")]
    think: Option<u64>,
    #[serde(default, deserialize_with = "specs::timeout_ns")]
    timeout: Option<u64>,
    node: Option<Spanned<String>>,
    connections: Option<Spanned<Connections>>,
}

/// `connections` in [[client]].
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Connections {
    /// Each client keeps its own.
    #[default]
    Kept,
    /// Each request has one.
    New,
}

impl ClientTable {
    fn opens_connections(&self) -> bool {
        let said = self.connections.as_ref().map(|it| *it.get_ref());
        said.unwrap_or_default() == Connections::New
    }
}

fn usual_cpu_speed() -> f64 {
    1.0
}

impl Scenario {
    /// The scenario in the TOML file at `path`; relative paths in it start at its folder.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        scenario(&TomlFile::read(path)?)
    }

    /// As [`Scenario::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// Text that is no scenario, with line and column.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        scenario(&TomlFile::from_text(text, path))
    }
}

/// The scenario that `file` describes.
fn scenario(file: &TomlFile) -> Result<Scenario, FileError> {
    let tables: Tables = file.parse()?;
    check_unique(file, "`name` in [[site]]", &tables.site, |table| {
        &table.name
    })?;
    check_unique(file, "`name` in [[store]]", &tables.store, |table| {
        &table.name
    })?;
    check_unique(file, "`name` in [[node]]", &tables.node, |table| {
        &table.name
    })?;
    check_unique(file, "`name` in [[client]]", &tables.client, |table| {
        &table.name
    })?;
    check_unique(file, "`name` in [[writer]]", &tables.writer, |table| {
        &table.name
    })?;
    check_unique(file, "`name` in [[database]]", &tables.database, |table| {
        &table.name
    })?;
    let stores = store_names(&tables.store);
    let node = |table: &NodeTable| node(file, table, &tables.node, &stores);
    let remote_names = remote_names(&tables.store, &tables.node);
    let store = |table: &StoreTable| store(file, table, &remote_names);
    let site = |table: &SiteTable| site(file, table, &tables.store);
    check_connections(file, &tables.client)?;
    let client = |table: &ClientTable| client(file, table, &tables.node);
    let nodes = tables.node.iter().map(node).collect::<Result<_, _>>()?;
    let links = links(file, &tables.link, &node_names(&tables.node))?;
    let network = match &tables.network {
        Some(table) => table.network(file, tables.node.len())?,
        None => None,
    };
    Ok(Scenario {
        objective: tables.objective,
        logs: (tables.log.0.iter())
            .map(|log| file.folder().join(log))
            .collect(),
        server_profile: server_profile(file, tables.server_profile.as_ref())?,
        nodes,
        sites: tables.site.iter().map(site).collect::<Result<_, _>>()?,
        stores: tables.store.iter().map(store).collect::<Result<_, _>>()?,
        clients: tables.client.iter().map(client).collect::<Result<_, _>>()?,
        writers: writers(file, &tables)?,
        databases: databases(file, &tables)?,
        events: events(file, &tables, &links)?,
        links,
        network,
    })
}

fn check_unique<T>(
    file: &TomlFile,
    key: &str,
    tables: &[T],
    name: impl Fn(&T) -> &Spanned<String>,
) -> Result<(), FileError> {
    for (nth, table) in tables.iter().enumerate() {
        let name_of = name(table);
        if tables[..nth].iter().any(|earlier| name(earlier) == name_of) {
            let message = format!(
                "{key}: `{}` is already taken; give it another name",
                name_of.get_ref()
            );
            return Err(file.error(name_of.span(), message));
        }
    }
    Ok(())
}

fn site(file: &TomlFile, table: &SiteTable, stores: &[StoreTable]) -> Result<Site, FileError> {
    let store = stores
        .iter()
        .position(|store| store.name == table.store)
        .ok_or_else(|| {
            let names: Vec<&str> = stores
                .iter()
                .map(|store| store.name.get_ref().as_str())
                .collect();
            let message = format!(
                "`store` in [[site]]: there is no [[store]] called `{}`; there are: {}",
                table.store.get_ref(),
                names.join(", ")
            );
            file.error(table.store.span(), message)
        })?;
    Ok(Site {
        name: table.name.get_ref().clone(),
        matches: table.matches.0.clone(),
        weight: table.weight,
        reservation_bytes: table
            .reservation
            .as_ref()
            .map_or(0, |size| size.get_ref().0),
        reservation_at: (table.reservation.as_ref()).map(|size| file.place(size.span())),
        targets: targets(file, table.targets.as_ref())?,
        store,
        root: table.root.as_ref().map(|root| file.folder().join(root)),
        client_share: table.client_share,
    })
}

fn targets(
    file: &TomlFile,
    texts: Option<&Spanned<OneOrMany<String>>>,
) -> Result<Vec<Target>, FileError> {
    let Some(texts) = texts else {
        return Ok(Vec::new());
    };
    let failed = |why| file.error(texts.span(), format!("`target` in [[site]]: {why}"));
    let targets = texts.get_ref().0.iter().map(|text| text.parse());
    let targets: Vec<Target> = targets.collect::<Result<_, _>>().map_err(failed)?;
    check_targets(&targets).map_err(failed)?;
    Ok(targets)
}

fn site_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Spanned<String>, D::Error> {
    let name = Spanned::<String>::deserialize(deserializer)?;
    if name
        .get_ref()
        .contains(|c: char| c == '=' || c.is_control())
    {
        return Err(D::Error::custom(
            "must not contain `=` or control characters",
        ));
    }
    Ok(name)
}

fn usual_weight() -> f64 {
    1.0
}

fn weight<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        weight if Site::WEIGHTS.contains(&weight) => Ok(weight),
        _ => Err(D::Error::custom(
            "must be positive, from 0.000001 to 1000000; a site without `weight` has 1",
        )),
    }
}

fn usual_client_share() -> f64 {
    Site::CLIENT_SHARE
}

fn client_share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let percent: Option<Result<f64, _>> =
        text.strip_suffix('%').map(|number| number.trim().parse());
    match percent {
        Some(Ok(percent)) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        _ => Err(D::Error::custom(
            "must be a percentage above 0 and up to 100, such as \"25%\"; \"100%\" lets every request count",
        )),
    }
}

fn remote_names<'t>(stores: &'t [StoreTable], nodes: &'t [NodeTable]) -> RemoteNames<'t> {
    let is_local = |store: &&StoreTable| {
        let is_remote = |kind: StoreKind| kind.is_on_servers() || kind.is_cluster();
        !store.kind.is_some_and(is_remote)
    };
    let has_files = |node: &&NodeTable| node.server == ServerKind::Files;
    RemoteNames {
        file_servers: (nodes.iter().filter(has_files))
            .map(|node| node.name.get_ref().as_str())
            .collect(),
        local_stores: (stores.iter().filter(is_local))
            .map(|store| store.name.get_ref().as_str())
            .collect(),
    }
}

fn store(
    file: &TomlFile,
    table: &StoreTable,
    names: &RemoteNames<'_>,
) -> Result<StoreSpec, FileError> {
    let disk = table.disk.as_ref().map(|disk| DiskTable::spec(disk, file));
    let cache = table.disk.as_ref();
    let cache = cache.map(|disk| disk.get_ref().write_cache_bytes());
    let remote = RemoteTable {
        name: &table.name,
        kind: table.kind,
        servers: table.servers.as_ref(),
        on: table.on.as_ref(),
        options: table.options.as_ref(),
    };
    let journal = table.journal.as_ref();
    let journal = journal.map(|it| JournalTable::spec(it, table.kind, file));
    Ok(StoreSpec {
        name: table.name.get_ref().clone(),
        profile: profile(file, &table.profile)?,
        kind: table.kind,
        size_bytes: table.size.map(|size| size.0),
        disk: disk.transpose()?.unwrap_or_default(),
        write_cache_bytes: cache.unwrap_or_default(),
        remote: remote.spec(file, names)?,
        cluster: remote.cluster(file, names)?,
        journal: journal.transpose()?.unwrap_or_default(),
        dirty_limit_bytes: dirty_limit(file, table)?,
    })
}

/// The least that the kernel counts with: it adds up what is dirty in batches (`WB_STAT_BATCH`, `include/linux/backing-dev-defs.h`).
const LEAST_DIRTY_BYTES: u64 = 1 << 20;

/// How much of a store may be dirty.
fn dirty_limit(file: &TomlFile, table: &StoreTable) -> Result<Option<u64>, FileError> {
    let Some(limit) = &table.dirty_limit else {
        return Ok(None);
    };
    let has_disk = matches!(
        table.kind,
        Some(StoreKind::Ext3 | StoreKind::Ext4 | StoreKind::Xfs)
    );
    let message = match limit.get_ref().0 {
        _ if !has_disk => "is of ext3, ext4 and xfs; give one of these kinds, or take it out",
        0..LEAST_DIRTY_BYTES => "must be at least 1MiB",
        bytes => return Ok(Some(bytes)),
    };
    let message = format!("`dirty_limit` in [[store]]: {message}");
    Err(file.error(limit.span(), message))
}

/// The built-in profile of that name, else the file beside the scenario, else the file at that path.
fn profile(file: &TomlFile, name: &Spanned<String>) -> Result<Profile, FileError> {
    let beside = file.folder().join(name.get_ref());
    let found = match Profile::builtin(name.get_ref()) {
        Some(builtin) => Ok(builtin),
        None if beside.is_file() => Profile::load(&beside).map_err(Into::into),
        None => Profile::named_or_file(name.get_ref()),
    };
    found.map_err(|error| file.error(name.span(), format!("`profile` in [[store]]: {error}")))
}

fn server_profile(
    file: &TomlFile,
    name: Option<&Spanned<String>>,
) -> Result<Option<ServerProfile>, FileError> {
    let Some(name) = name else {
        return Ok(None);
    };
    let loaded = ServerProfile::load(&file.folder().join(name.get_ref()));
    let loaded =
        loaded.map_err(|error| file.error(name.span(), format!("`server_profile`: {error}")));
    loaded.map(Some)
}

fn node(
    file: &TomlFile,
    table: &NodeTable,
    nodes: &[NodeTable],
    stores: &[&str],
) -> Result<Node, FileError> {
    let needs = NeedsTable {
        server: table.server,
        system: table.system.as_ref(),
        system_files: table.system_files.as_ref(),
        logs: table.logs.as_ref(),
        keep_alive: table.keep_alive.as_ref(),
        keep_alive_requests: table.keep_alive_requests.as_ref(),
        worker_memory: table.worker_memory.as_ref(),
        swap: table.swap.as_ref(),
    };
    Ok(Node {
        name: table.name.get_ref().clone(),
        memory: table.memory,
        server_memory_bytes: server_memory(file, table)?,
        cpus: table.cpus,
        cpu_speed: table.cpu_speed,
        workers: table.workers.as_ref().map(|it| it.0),
        groups: table.groups,
        server: server(file, table, nodes)?,
        needs: needs.needs(file, stores)?,
    })
}

fn server_memory(file: &TomlFile, table: &NodeTable) -> Result<Option<u64>, FileError> {
    let Some(size) = &table.server_memory else {
        return Ok(None);
    };
    match (size.get_ref(), table.memory) {
        (Bytes(server), MemorySize::Bytes(memory)) if *server >= memory => {
            let message = format!(
                "`server_memory` in [[node]]: {server} bytes leave nothing of the node's {memory} for files; give less"
            );
            Err(file.error(size.span(), message))
        }
        (Bytes(server), _) => Ok(Some(*server)),
    }
}

fn server(
    file: &TomlFile,
    table: &NodeTable,
    nodes: &[NodeTable],
) -> Result<ServerSpec, FileError> {
    let server = match table.server {
        ServerKind::NginxProxy => return proxy(file, table, nodes),
        ServerKind::Nginx => ServerSpec::Nginx,
        ServerKind::Apache => ServerSpec::Apache,
        ServerKind::Files => ServerSpec::Files,
        ServerKind::None => ServerSpec::None,
    };
    let cache = table.cache.as_ref().map(|cache| ("cache", cache.span()));
    let upstream = table.upstream.as_ref();
    let upstream = upstream.map(|upstream| ("upstream", upstream.span()));
    let balance = table.balance.as_ref();
    let balance = balance.map(|balance| ("balance", balance.span()));
    match cache.or(upstream).or(balance) {
        None => Ok(server),
        Some((key, span)) => {
            let message = format!("`{key}` in [[node]]: is for server = \"nginx-proxy\" only");
            Err(file.error(span, message))
        }
    }
}

/// The proxy of a node that says so; every upstream is a node that serves files.
fn proxy(file: &TomlFile, table: &NodeTable, nodes: &[NodeTable]) -> Result<ServerSpec, FileError> {
    let error = |span, message| Err(file.error(span, format!("`upstream` in [[node]]: {message}")));
    let upstream = match &table.upstream {
        Some(upstream) if !upstream.get_ref().0.is_empty() => upstream,
        _ => {
            return error(
                table.name.span(),
                "name the nodes behind the proxy".to_owned(),
            );
        }
    };
    let is_proxy = |node: &NodeTable| node.server == ServerKind::NginxProxy;
    let names = &upstream.get_ref().0;
    let wrong = names.iter().find_map(|name| {
        let named = nodes.iter().find(|node| node.name.get_ref() == name);
        match named {
            _ if names.iter().filter(|it| *it == name).count() > 1 => {
                Some(format!("`{name}` is there twice; take one out"))
            }
            None => {
                let is_server = |node: &&NodeTable| {
                    !matches!(node.server, ServerKind::None | ServerKind::Files)
                };
                let servers = nodes.iter().filter(is_server);
                let servers = servers.map(|node| &**node.name.get_ref());
                let servers: Vec<&str> = servers.filter(|it| it != table.name.get_ref()).collect();
                Some(format!(
                    "no web server is called `{name}`; {}",
                    there_are(name, &servers)
                ))
            }
            Some(node) if node.server == ServerKind::None => {
                Some(format!("`{name}` has no server; name web servers"))
            }
            Some(node) if node.server == ServerKind::Files => {
                Some(format!("`{name}` is a file server; name web servers"))
            }
            Some(node) if !is_proxy(node) => None,
            Some(_) if leads_to(nodes, name, table.name.get_ref()) => Some(format!(
                "`{name}` leads back to `{}`, which is a circle; name web servers",
                table.name.get_ref()
            )),
            Some(_) => Some(format!(
                "`{name}` is a proxy, and a proxy asks web servers; name those"
            )),
        }
    });
    match wrong {
        Some(message) => error(upstream.span(), message),
        None => Ok(ServerSpec::NginxProxy {
            cache: table.cache.as_ref().is_some_and(|cache| *cache.get_ref()),
            upstream: names.clone(),
            balance: (table.balance.as_ref()).map_or_else(Balance::default, |it| *it.get_ref()),
        }),
    }
}

fn node_names(nodes: &[NodeTable]) -> Vec<&str> {
    nodes.iter().map(|it| it.name.get_ref().as_str()).collect()
}

fn store_names(stores: &[StoreTable]) -> Vec<&str> {
    stores.iter().map(|it| it.name.get_ref().as_str()).collect()
}

/// Whether the node `from` is `to`, or asks it by way of proxies.
fn leads_to(nodes: &[NodeTable], from: &str, to: &str) -> bool {
    let (mut seen, mut next) = (Vec::new(), vec![from]);
    while let Some(name) = next.pop() {
        if name == to {
            return true;
        }
        if !seen.contains(&name) {
            seen.push(name);
            let node = nodes.iter().find(|node| node.name.get_ref() == name);
            let upstream = node.and_then(|node| node.upstream.as_ref());
            let names = upstream.into_iter().flat_map(|it| &it.get_ref().0);
            next.extend(names.map(String::as_str));
        }
    }
    false
}

/// Programs that write, each on a node whose page cache has files.
fn writers(file: &TomlFile, tables: &Tables) -> Result<Vec<Writer>, FileError> {
    let reads_store = |it: &&NodeTable| matches!(it.server, ServerKind::Nginx | ServerKind::Apache);
    let names = WriterNames {
        nodes: (tables.node.iter().filter(reads_store))
            .map(|it| it.name.get_ref().as_str())
            .collect(),
        stores: (tables.store.iter())
            .map(|it| it.name.get_ref().as_str())
            .collect(),
    };
    let writers = tables.writer.iter();
    writers.map(|table| table.writer(file, &names)).collect()
}

/// Database servers, each on any node.
fn databases(file: &TomlFile, tables: &Tables) -> Result<Vec<Database>, FileError> {
    let sites = tables.site.iter();
    let stores = tables.store.iter();
    let names = DatabaseNames {
        nodes: node_names(&tables.node),
        stores: stores.map(|it| it.name.get_ref().as_str()).collect(),
        sites: sites.map(|it| it.name.get_ref().as_str()).collect(),
    };
    let databases = tables.database.iter();
    databases.map(|it| it.database(file, &names)).collect()
}

/// What happens, in the order of time.
fn events(file: &TomlFile, tables: &Tables, links: &[Link]) -> Result<Vec<Event>, FileError> {
    let with_server = |it: &&NodeTable| it.server.answers() || it.server == ServerKind::Files;
    let names = Names {
        nodes: (tables.node.iter().filter(with_server))
            .map(|it| it.name.get_ref().as_str())
            .collect(),
        links,
        stores: (tables.store.iter())
            .map(|it| it.name.get_ref().as_str())
            .collect(),
    };
    let events = tables.event.iter().map(|table| table.event(file, &names));
    let mut events = events.collect::<Result<Vec<Event>, FileError>>()?;
    events.sort_by_key(|event| event.at_ns);
    Ok(events)
}

fn client(file: &TomlFile, table: &ClientTable, nodes: &[NodeTable]) -> Result<Client, FileError> {
    check_node(file, "asks", &table.asks, nodes, true)?;
    if let Some(node) = &table.node {
        check_node(file, "node", node, nodes, false)?;
    }
    Ok(Client {
        name: table.name.get_ref().clone(),
        asks: table.asks.get_ref().clone(),
        clients: table.clients.get(),
        think_ns: table.think,
        timeout_ns: table.timeout,
        node: table.node.as_ref().map(|node| node.get_ref().clone()),
        opens_connections: table.opens_connections(),
    })
}

/// Refuses clients who ask the same node, of whom some open connections for their requests and others do not: its requests cost it the same.
fn check_connections(file: &TomlFile, tables: &[ClientTable]) -> Result<(), FileError> {
    for (place, table) in tables.iter().enumerate() {
        let differs = |before: &&ClientTable| {
            before.asks == table.asks && before.opens_connections() != table.opens_connections()
        };
        if let Some(before) = tables[..place].iter().find(differs) {
            let said = table.connections.as_ref().or(before.connections.as_ref());
            let span = said.map_or(0..0, Spanned::span);
            let message = format!(
                "`connections` in [[client]]: `{}` and `{}` ask the same node; give both the same",
                before.name.get_ref(),
                table.name.get_ref()
            );
            return Err(file.error(span, message));
        }
    }
    Ok(())
}

/// Refuses a node of clients that is not there, or that has a server where it should have none, or has none where it should.
fn check_node(
    file: &TomlFile,
    key: &str,
    name: &Spanned<String>,
    nodes: &[NodeTable],
    has_server: bool,
) -> Result<(), FileError> {
    let called = name.get_ref();
    let why = match nodes.iter().find(|node| node.name == *name) {
        None => format!(
            "no node is called `{called}`; {}",
            there_are(called, &node_names(nodes))
        ),
        Some(node) if has_server && node.server.answers() => return Ok(()),
        Some(node) if !has_server && node.server == ServerKind::None => return Ok(()),
        Some(node) if has_server && node.server == ServerKind::Files => {
            format!("`{called}` is a file server; name a node that answers requests")
        }
        Some(_) if has_server => format!("`{called}` has no server; name a node that answers"),
        Some(_) => {
            format!("`{called}` has a server; name a node with server = \"none\", which only asks")
        }
    };
    Err(file.error(name.span(), format!("`{key}` in [[client]]: {why}")))
}
