//! `hotset lab up` and `hotset lab down`.

use hotset_lab::Inventory;
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
            .text("url", |it| &it.url)
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
            .text("file system", |it| it.file_system)
            .flexible("mounted at", |it| it.path.display().to_string())
    }

    /// Commands to begin with: a request from this machine, and a look from inside a node.
    fn examples(&self) -> Option<String> {
        let node = self.0.nodes.first()?;
        let host = self.0.sites.first().map(|site| site.name.as_str());
        Some(format!(
            "curl -H 'Host: {}' {}\nip netns exec {} ip address\ntail -f {}\n",
            host.unwrap_or_default(),
            node.url,
            node.namespace,
            node.log.display()
        ))
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
