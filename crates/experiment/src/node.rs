//! Nodes and stores of a scenario as an experiment has them.

use std::borrow::Borrow;

use hotset_lab::LabError;
use hotset_machine::{Directories, Need};
use hotset_scenario::{
    ClusterOptions, Journal, JournalSpec, Link, MemorySize, Node, Scenario, ServerSpec, StoreKind,
    StoreSpec,
};

/// Less memory than this is used up by the server's own processes, and the kernel ends them.
const LEAST_MEMORY_BYTES: u64 = 16 << 20;

/// The web node with its memory divided by `scale`, and that memory in bytes. What server and kernel need of it is not
/// divided: smaller files are as many, and served by the same processes.
///
/// # Errors
/// What of it no experiment can use.
pub(crate) fn web_node(spec: &Node, scale: u64) -> Result<(Node, u64), String> {
    let name = &spec.name;
    if spec.server != ServerSpec::Nginx {
        return Err(format!(
            "gives node `{name}` another server than nginx, which experiments do not run"
        ));
    }
    let MemorySize::Bytes(memory_bytes) = spec.memory else {
        return Err(format!(
            "gives the memory of node `{name}` as a share; give bytes"
        ));
    };
    let memory_bytes = memory_bytes / scale;
    let least_bytes = LEAST_MEMORY_BYTES.max(spec.server_memory_bytes.unwrap_or(0));
    if memory_bytes < least_bytes {
        return Err(format!(
            "gives node `{name}` {memory_bytes} bytes of memory after `scale`; its web server needs at least {} MiB",
            least_bytes >> 20
        ));
    }
    let memory = MemorySize::Bytes(memory_bytes);
    let node = Node {
        memory,
        ..spec.clone()
    };
    Ok((node, memory_bytes))
}

/// These nodes, at their links among `links`, with these stores alone, each of which has room for `least_bytes`.
pub(crate) fn alone(
    nodes: &[&Node],
    stores: &[&StoreSpec],
    least_bytes: u64,
    links: &[Link],
) -> Scenario {
    let is_here = |end: &String| nodes.iter().any(|node| node.name == *end);
    let own = |link: &&Link| link.ends.nodes().iter().all(is_here);
    let with_room = |store: &&StoreSpec| StoreSpec {
        size_bytes: Some(store.size_bytes.unwrap_or(0).max(least_bytes)),
        ..(*store).clone()
    };
    Scenario {
        stores: stores.iter().map(with_room).collect(),
        nodes: nodes.iter().map(|&node| node.clone()).collect(),
        links: links.iter().filter(own).cloned().collect(),
        ..Scenario::default()
    }
}

/// All that these need where they stand at the same time.
///
/// # Errors
/// One that the lab cannot build.
pub(crate) fn needs_at_once<'s>(
    scenarios: impl IntoIterator<Item = &'s Scenario>,
    directories: &Directories,
) -> Result<Vec<Need>, LabError> {
    let mut needs: Vec<Need> = Vec::new();
    let (mut memory_bytes, mut disk_bytes) = (0, 0);
    for scenario in scenarios {
        for need in hotset_lab::needs(scenario, directories)? {
            match need {
                Need::Memory { bytes } => memory_bytes += bytes,
                Need::DiskSpace { bytes, .. } => disk_bytes += bytes,
                other if needs.contains(&other) => {}
                other => needs.push(other),
            }
        }
    }
    needs.push(Need::Memory {
        bytes: memory_bytes,
    });
    needs.push(Need::DiskSpace {
        path: directories.work.clone(),
        bytes: disk_bytes,
    });
    Ok(needs)
}

/// A store that is a real file system.
pub(crate) struct RealStore {
    pub spec: StoreSpec,
    pub kind: StoreKind,
}

impl RealStore {
    /// What of it decides what is measured.
    pub fn settings(&self) -> String {
        let spec = &self.spec;
        let journal = Some(spec.journal).filter(|it| *it != JournalSpec::default());
        let journal = journal.map(|it| format!(", {it:?}"));
        let servers = spec.remote.as_ref();
        let servers = servers.map(|it| format!(", on {} of {}", it.on, it.servers.join(", ")));
        let options = spec.cluster.as_ref();
        let options = options.filter(|it| **it != ClusterOptions::default());
        let options = options.map(|it| format!(", {it:?}"));
        let limit = spec.dirty_limit_bytes;
        let limit = limit.map(|bytes| format!(", at most {bytes} bytes dirty"));
        let cache = Some(spec.write_cache_bytes).filter(|&bytes| bytes > 0);
        let cache = cache.map(|bytes| format!(" with a cache of {bytes} bytes"));
        format!(
            "{} on {:?}{}{}{}{}{}",
            self.kind.name(),
            spec.disk,
            cache.unwrap_or_default(),
            journal.unwrap_or_default(),
            limit.unwrap_or_default(),
            servers.unwrap_or_default(),
            options.unwrap_or_default()
        )
    }

    /// What of it decides what calls on it take. Sizes, limits and times of commits do not, nor does a journal without data in it.
    pub fn costs(&self) -> String {
        let journal = JournalSpec {
            mode: self.spec.journal.mode.filter(|mode| is_unusual(*mode)),
            commit_s: None,
            bytes: None,
            ..self.spec.journal
        };
        let spec = StoreSpec {
            journal,
            dirty_limit_bytes: None,
            ..self.spec.clone()
        };
        let kind = self.kind;
        Self { spec, kind }.settings()
    }

    /// Whether its files take the node's memory, and stay there.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.kind, StoreKind::Ramfs | StoreKind::Tmpfs)
    }

    /// Whether it lies on file servers.
    pub fn is_remote(&self) -> bool {
        matches!(self.kind, StoreKind::GlusterFs | StoreKind::MooseFs)
    }
}

/// Whether more or less goes through such a journal than through that which ext3, ext4 and XFS have unless told otherwise.
fn is_unusual(mode: Journal) -> bool {
    match mode {
        Journal::Ordered | Journal::Writeback => false,
        Journal::None | Journal::Data => true,
    }
}

impl Borrow<StoreSpec> for RealStore {
    fn borrow(&self) -> &StoreSpec {
        &self.spec
    }
}
