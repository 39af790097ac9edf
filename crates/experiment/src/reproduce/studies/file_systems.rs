//! What the tables of file systems share: the documents' four, and those that were measured here.

use hotset_outcome::{GroupKey, GroupKind, Score};

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// The experiment that measured file systems as the documents did.
pub(super) const EXPERIMENT: KnownExperiment = known_experiment!("file-systems/experiment.toml");

/// What is to be known of what it measured.
pub(super) const ON_OTHER_MACHINES: &str = "Measured figures are from nodes of today with a disk of 39 MB/s, so their order compares and their size does not";

/// Why two file systems have no published figures.
pub(super) const STAND_INS: &str = "GlusterFS and MooseFS were measured in place of PVFS and Lustre, which today's kernels do not have";

/// The file systems of the documents.
const PUBLISHED: [&str; 4] = ["ext3", "ramfs", "pvfs", "lustre"];
/// Those that were measured in place of the last two.
const IN_PLACE: [&str; 2] = ["glusterfs", "moosefs"];

/// A row: each file system of the documents, then those that were measured in place of some.
pub(super) fn row(
    name: &str,
    published: impl Fn(&str) -> Option<f64>,
    measured: impl Fn(&str) -> Option<f64>,
) -> Vec<ReproducedCell> {
    let documented = PUBLISHED.into_iter().map(|file_system| {
        ReproducedCell::new(name, file_system, published(file_system))
            .measured(measured(file_system))
    });
    let in_place = IN_PLACE.into_iter().map(|file_system| {
        ReproducedCell::new(name, file_system, None).measured(measured(file_system))
    });
    let in_place = in_place.filter(|cell| cell.measured.is_some());
    documented.chain(in_place).collect()
}

/// The score of files of a size, as `4K`, in an outcome of a file system, as `cached`; of an operation on them where one is named.
pub(super) fn score(
    sources: &Sources,
    file_system: &str,
    outcome: &str,
    (size, operation): (&str, Option<&str>),
) -> Option<Score> {
    let group = GroupKey::new(GroupKind::Size, size);
    let group = match operation {
        Some(operation) => group.with_operation(operation),
        None => group,
    };
    let file = format!("file-systems/results/{file_system}.json");
    sources.score(&file, &format!("{file_system}-{outcome}"), &group)
}
