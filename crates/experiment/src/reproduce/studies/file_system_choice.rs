//! What the documents' file systems get done for their workloads, as experiments/file-system-choice simulates it with the profiles that are made
//! of A table 2.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::sources::Sources;

/// What is to be known of these figures.
pub(super) const SIMULATED: &str = "Simulated figures are those that experiments/file-system-choice keeps: the documents' file systems by A table 2, behind processors of today";

/// Bytes of the web server's memory, and of three file servers'.
const ONE_NODE: f64 = 536_870_912.0;
const THREE_NODES: f64 = 3.0 * ONE_NODE;

/// File systems, their profiles, and the memory that caches their files.
const FILE_SYSTEMS: [(&str, &str, f64); 4] = [
    ("ext3", "ext3-2004", ONE_NODE),
    ("ramfs", "ramfs-2004", ONE_NODE),
    ("pvfs", "pvfs-2004", THREE_NODES),
    ("lustre", "lustre-2004", THREE_NODES),
];

/// Workloads whose files fit into the web server's memory, which ramfs takes.
pub(super) const FITTING: [&str; 3] = ["class-0", "class-1", "class-2"];

/// A cell for each file system that can have the workload's files, such as `class-0`.
pub(super) fn cells(sources: &Sources, workload: &str) -> Vec<ReproducedCell> {
    let file = format!("file-system-choice/results/{workload}-simulate.parquet");
    let rows = sources.sweep(&file);
    let throughput = |profile: &str, memory: f64| {
        let mut rows = rows.iter();
        let row = rows.find(|row| {
            row.text("store.files.profile") == Some(profile)
                && row.figure("node.web1.memory") == Some(memory)
        });
        row?.figure("throughput_per_s")
    };
    let mut cells = Vec::new();
    for (name, profile, memory) in FILE_SYSTEMS {
        let has_room = name != "ramfs" || FITTING.contains(&workload);
        let simulated = throughput(profile, memory).filter(|_| has_room);
        let cell = ReproducedCell::new(workload, name, None).simulated(simulated);
        cells.extend(simulated.is_some().then_some(cell));
    }
    cells
}

/// The most that file systems of these names get done for a workload, requests a second.
pub(super) fn best(cells: &[ReproducedCell], workload: &str, names: &[&str]) -> Option<f64> {
    let own = cells.iter().filter(|cell| cell.row == workload);
    let named = own.filter(|cell| names.contains(&cell.column.as_str()));
    named
        .filter_map(|cell| cell.simulated)
        .max_by(f64::total_cmp)
}

/// Local and network file systems.
pub(super) const LOCAL: [&str; 2] = ["ext3", "ramfs"];
pub(super) const NETWORK: [&str; 2] = ["pvfs", "lustre"];

/// What the best local file system gets done for each workload over what the best network one does; nothing where one of both is not there.
pub(super) fn local_over_network(cells: &[ReproducedCell], workloads: &[&str]) -> Option<Vec<f64>> {
    let ratio = |workload: &&str| {
        let local = best(cells, workload, &LOCAL)?;
        Some(local / best(cells, workload, &NETWORK)?)
    };
    workloads.iter().map(ratio).collect()
}

/// Ratios in words: `8.37, 4.04`.
pub(super) fn in_words(ratios: &[f64]) -> String {
    let ratios: Vec<String> = ratios.iter().map(|it| format!("{it:.2}")).collect();
    ratios.join(", ")
}
