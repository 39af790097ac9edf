//! `hotset lab up` and `hotset lab down`.

use hotset_lab::Inventory;
use hotset_machine::ledger::Teardown;
use serde::Serialize;

use crate::terminal::{paragraph, section, sections, wrapped};
use crate::{Column, Style, Table, View, json, number};

/// A data-centre that is up. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct LabView(pub Inventory);

impl View for LabView {
    crate::by_hand!();
    /// How to reach it, where its parts are, and how to take it down.
    fn terminal(&self, style: Style) -> String {
        let Inventory { tag, nodes, .. } = &self.0;
        let headline = format!(
            "Data-centre {tag} is up: {}. It stays up until `hotset lab down {tag}`.",
            number::counted(nodes.len() as u64, "node", "nodes"),
        );
        let tables = [
            ("Nodes", self.nodes()),
            ("Sites", self.sites()),
            ("Stores", self.stores()),
        ];
        let parts = [
            paragraph(style, &headline, Style::strong),
            sections(style, tables),
            section(style, "Try it", &self.examples()),
        ];
        parts.concat()
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

impl LabView {
    fn nodes(&self) -> Table {
        let mut table = Table::new([
            Column::text("node"),
            Column::text("url"),
            Column::number("memory"),
            Column::text("network"),
            Column::flexible("memory group"),
        ]);
        for node in &self.0.nodes {
            table.row([
                node.name.as_str(),
                &node.url,
                &number::bytes(node.memory_bytes),
                &node.namespace,
                &node.memory_group.display().to_string(),
            ]);
        }
        table
    }

    fn sites(&self) -> Table {
        let mut table = Table::new([
            Column::text("site"),
            Column::text("node"),
            Column::text("store"),
            Column::flexible("folder of its files"),
        ]);
        for site in &self.0.sites {
            let folder = site.folder.display().to_string();
            table.row([&site.name, &site.node, &site.store, &folder]);
        }
        table
    }

    fn stores(&self) -> Table {
        let mut table = Table::new([
            Column::text("store"),
            Column::text("node"),
            Column::text("file system"),
            Column::flexible("mounted at"),
        ]);
        for store in &self.0.stores {
            let path = store.path.display().to_string();
            table.row([&store.name, &store.node, store.file_system, &path]);
        }
        table
    }

    /// Commands to begin with: a request from this machine, and a look from inside a node.
    fn examples(&self) -> String {
        let Some(node) = self.0.nodes.first() else {
            return String::new();
        };
        let host = self.0.sites.first().map(|site| site.name.as_str());
        format!(
            "curl -H 'Host: {}' {}\nip netns exec {} ip address\ntail -f {}\n",
            host.unwrap_or_default(),
            node.url,
            node.namespace,
            node.log.display()
        )
    }
}

/// A data-centre that was taken down. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
pub struct TeardownView {
    /// Which.
    pub tag: String,
    /// What is gone now.
    pub removed: Vec<String>,
    /// What could only be removed in part or late, and why.
    pub notes: Vec<String>,
    /// What is still there, and why.
    pub left: Vec<String>,
}

impl TeardownView {
    /// What came of taking down the data-centre `tag`.
    pub fn new(tag: String, teardown: Teardown) -> Self {
        let Teardown {
            removed,
            notes,
            left,
        } = teardown;
        Self {
            tag,
            removed,
            notes,
            left,
        }
    }
}

impl View for TeardownView {
    crate::by_hand!();
    /// Whether all of it is gone, and what is not.
    fn terminal(&self, style: Style) -> String {
        let removed = number::counted(self.removed.len() as u64, "resource", "resources");
        let headline = format!("Data-centre {} is down: {removed} removed.", self.tag);
        let lines = |items: &[String]| items.iter().map(|item| wrapped(item, style)).collect();
        let notes: String = lines(&self.notes);
        let left: String = lines(&self.left);
        let parts = [
            paragraph(style, &headline, Style::strong),
            section(style, "Removed in part or late", &notes),
            section(style, "Still there", &left),
        ];
        parts.concat()
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}
