//! `hotset lab up`, `hotset lab play`, `hotset lab list` and `hotset lab down`.

use hotset_lab::{EventEntry, Inventory, NodeEntry};
use hotset_machine::ledger::Teardown;
use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// A data-centre that is up. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct LabView(pub Inventory);

impl View for LabView {
    /// How to reach it, where its parts are, and how to take it down.
    fn document(&self) -> Document<'_> {
        let Inventory { tag, nodes, .. } = &self.0;
        let headline = format!(
            "Data-centre {tag} is up: {}. It stays up until `hotset lab down {tag}`.",
            number::counted(nodes.len() as u64, "node", "nodes"),
        );
        let mut to = Document::new(headline, Tone::Strong);
        to.table(move |_| self.nodes()).heading("Nodes");
        to.table(move |_| self.sites()).heading("Sites");
        to.table(move |_| self.stores()).heading("Stores");
        if !self.0.links.is_empty() {
            to.table(move |_| self.links())
                .heading("Links between nodes");
        }
        if !self.0.events.is_empty() {
            to.lead(format!("When `hotset lab play {tag}` is run"));
            to.table(move |_| events(&self.0.events)).heading("Events");
        }
        to.lines(
            "Keys of the scenario that the lab does not follow",
            &self.0.not_honoured,
        );
        if let Some(examples) = self.examples() {
            to.lead("Try it".to_owned()).preformatted(examples);
        }
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl LabView {
    fn nodes(&self) -> impl Into<Table> {
        Table::of(&self.0.nodes)
            .text("node", |it| &it.name)
            .text("url", |it| it.url.as_deref().unwrap_or("no server"))
            .figure("memory", |it| number::bytes(it.memory_bytes))
            .text("network", |it| &it.namespace)
            .flexible("memory group", |it| it.memory_group.display().to_string())
    }

    fn sites(&self) -> impl Into<Table> {
        Table::of(&self.0.sites)
            .text("site", |it| &it.name)
            .text("node", |it| &it.node)
            .text("store", |it| &it.store)
            .flexible("folder of its files", |it| it.folder.display().to_string())
    }

    fn stores(&self) -> impl Into<Table> {
        Table::of(&self.0.stores)
            .text("store", |it| &it.name)
            .text("node", |it| &it.node)
            .text("file system", |it| &it.file_system)
            .flexible("mounted at", |it| it.path.display().to_string())
    }

    fn links(&self) -> impl Into<Table> {
        Table::of(&self.0.links)
            .text("between", |it| it.between.join(", "))
            .text("interface", |it| &it.interface)
    }

    /// Commands to begin with: a request from this machine, and a look from inside a node. Clients on a node of their own ask from there.
    fn examples(&self) -> Option<String> {
        let nodes = || self.0.nodes.iter();
        let (node, url, log) =
            nodes().find_map(|it| Some((it, it.url.as_ref()?, it.log.as_ref()?)))?;
        let host = self.0.sites.first().map(|site| site.name.as_str());
        let curl = format!("curl -H 'Host: {}' {url}", host.unwrap_or_default());
        let client = nodes().find(|it| it.url.is_none());
        let curl = match client {
            Some(client) => format!("ip netns exec {} {curl}", client.namespace),
            None => curl,
        };
        Some(format!(
            "{curl}\nip netns exec {} ip address\ntail -f {}\n",
            node.namespace,
            log.display()
        ))
    }
}

fn events(events: &[EventEntry]) -> impl Into<Table> {
    Table::of(events)
        .figure("at", |it| number::duration(it.at_us as f64))
        .text("what happens", |it| &it.what)
}

/// What has happened in a data-centre. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlayedView {
    /// Which.
    pub tag: String,
    /// What has happened, in the order of time.
    pub events: Vec<EventEntry>,
    /// How many events more there would have been, had it not been interrupted.
    pub left: u64,
}

impl View for PlayedView {
    /// What has happened, and whether that is all.
    fn document(&self) -> Document<'_> {
        let (tag, count) = (&self.tag, self.events.len() as u64);
        let happened = number::counted(count, "event has", "events have");
        let left = match self.left {
            0 => String::new(),
            left => format!(", and {left} more would have"),
        };
        let headline = format!("{happened} happened in data-centre {tag}{left}.");
        let mut to = Document::new(headline, Tone::Strong);
        if count > 0 {
            to.table(move |_| events(&self.events)).heading("Events");
        }
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// The data-centres that are up. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LabsView {
    /// Program and version.
    pub tool: String,
    /// The data-centres, the longest standing first.
    pub data_centres: Vec<StandingLab>,
}

/// A data-centre that is up, as it is listed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StandingLab {
    /// What tells it from others, for `hotset lab down`.
    pub tag: String,
    /// Since when it is up.
    pub since: String,
    /// What it consists of; absent if an older version left it up.
    pub inventory: Option<Inventory>,
}

impl View for LabsView {
    /// How many there are, then a row for each node.
    fn document(&self) -> Document<'_> {
        let count = self.data_centres.len() as u64;
        let headline = match count {
            0 => "No data-centre is up.".to_owned(),
            1 => "1 data-centre is up. `hotset lab down` takes it down.".to_owned(),
            _ => format!(
                "{} are up. `hotset lab down TAG` takes one down.",
                number::counted(count, "data-centre", "data-centres")
            ),
        };
        let mut to = Document::new(headline, Tone::Strong);
        if count > 0 {
            to.table(move |_| self.rows()).heading("Data-centres");
        }
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl LabsView {
    fn rows(&self) -> impl Into<Table> {
        let rows = self.data_centres.iter().flat_map(|lab| {
            let nodes = lab
                .inventory
                .iter()
                .flat_map(|it| it.nodes.iter().map(Some));
            let unknown = lab.inventory.is_none().then_some(None);
            nodes.chain(unknown).map(move |node| (lab, node))
        });
        let of = |node: &Option<&NodeEntry>, what: fn(&NodeEntry) -> String| {
            node.map_or_else(|| "not known".to_owned(), what)
        };
        Table::of(rows)
            .text("data-centre", |(lab, _)| &lab.tag)
            .text("up since", |(lab, _)| &lab.since)
            .text("node", move |(_, node)| of(node, |it| it.name.clone()))
            .text("url", move |(_, node)| {
                of(node, |it| {
                    it.url.clone().unwrap_or_else(|| "no server".to_owned())
                })
            })
            .figure("memory", |(_, node)| {
                node.map_or_else(String::new, |it| number::bytes(it.memory_bytes))
            })
    }
}

/// A data-centre that was taken down. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TeardownView {
    /// Which.
    pub tag: String,
    /// What became of it.
    #[serde(flatten)]
    pub teardown: Teardown,
}

impl View for TeardownView {
    /// Whether all of it is gone, and what is not.
    fn document(&self) -> Document<'_> {
        let Teardown {
            removed,
            notes,
            left,
        } = &self.teardown;
        let removed = number::counted(removed.len() as u64, "resource", "resources");
        let headline = format!("Data-centre {} is down: {removed} removed.", self.tag);
        let mut to = Document::new(headline, Tone::Strong);
        to.lines("Removed in part or late", notes)
            .lines("Still there", left);
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}
