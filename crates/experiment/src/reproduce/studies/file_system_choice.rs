//! What the documents' file systems get done for their workloads: on the machines of A, or else as experiments/file-system-choice has simulated it behind
//! processors of today.

use super::centres_of_a;
use crate::reproduce::asked::Popular;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::Centre;
use crate::reproduce::sources::Sources;

/// What is to be known of these figures.
pub(super) const SIMULATED: &str = "Simulated figures are of A's machines (experiments/documents). Where its scenarios are missing, they are those that experiments/file-system-choice keeps";

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

/// A cell for each file system that can have the workload's files, such as `class-0` or `exponent-0.5`.
pub(super) fn cells(sources: &Sources, workload: &str) -> Vec<ReproducedCell> {
    let has_room = |name: &str| name != "ramfs" || FITTING.contains(&workload);
    let cell = |(name, simulated): (&str, Option<f64>)| {
        let simulated = simulated.filter(|_| has_room(name));
        let cell = ReproducedCell::new(workload, name, None).simulated(simulated);
        simulated.is_some().then_some(cell)
    };
    let mut found = on_documents_machines(sources, workload);
    if found.iter().all(|(_, figure)| figure.is_none()) {
        found = kept(sources, workload);
    }
    found.into_iter().filter_map(cell).collect()
}

/// Requests a second with each file system, on the machines of A.
fn on_documents_machines(sources: &Sources, workload: &str) -> Vec<(&'static str, Option<f64>)> {
    let Some(of) = Popular::named(workload) else {
        return Vec::new();
    };
    let names = FILE_SYSTEMS.map(|(name, ..)| name);
    let centres = names.map(|file_system| centres_of_a::with_site(of, file_system));
    let figures = sources.centres(&centres);
    let figure = |(file_system, centre): (&'static str, Centre)| {
        let found = figures.get(&centre.name);
        (file_system, found.and_then(|it| it.throughput_per_s))
    };
    names.into_iter().zip(centres).map(figure).collect()
}

/// The same as experiments/file-system-choice keeps it.
fn kept(sources: &Sources, workload: &str) -> Vec<(&'static str, Option<f64>)> {
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
    let all = FILE_SYSTEMS.iter();
    all.map(|&(name, profile, memory)| (name, throughput(profile, memory)))
        .collect()
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
