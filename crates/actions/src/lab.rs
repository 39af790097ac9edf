//! A data-centre on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hotset_lab::disk::seeking;
use hotset_lab::{Control, LEDGERS};
use hotset_machine::Directories;
use hotset_probe::Job as ProbeJob;
use hotset_report::{LabView, LabsView, PlayedView, StandingLab, TeardownView};
use hotset_scenario::Scenario;

use crate::error::refuse;
use crate::{Field, JobError, Watch, provenance};

/// Folder for disk images, where none is named.
pub const WORK: &str = "/var/tmp/hotset-lab";

/// Which data-centre is built, and with what.
#[derive(Clone, Debug)]
pub struct Options {
    /// The scenario file.
    pub scenario: PathBuf,
    /// Folder for disk images.
    pub work: PathBuf,
    /// The command that plays a disk; what the lab passes is put behind it.
    pub drive_command: Vec<OsString>,
    /// Whether keys that the lab does not follow are refused.
    pub strict_keys: bool,
}

/// Where a lab keeps what it needs, with disk images in `work`.
pub fn directories(work: &Path) -> Directories {
    Directories {
        ledgers: LEDGERS.into(),
        work: work.to_owned(),
    }
}

/// Whoever follows a lab.
pub(crate) struct Steps<'w>(pub &'w dyn Watch);

impl Control for Steps<'_> {
    fn step(&self, what: &str) {
        self.0.step(what);
    }

    fn interrupted(&self) -> bool {
        self.0.stops()
    }
}

/// Builds a scenario's data-centre and leaves it up.
///
/// # Errors
/// A scenario that cannot be built here.
pub fn up(options: &Options, watch: &dyn Watch) -> Result<LabView, JobError> {
    let scenario = Scenario::load(&options.scenario)?;
    if options.strict_keys {
        let refused = refuse_any(&hotset_lab::not_honoured(&scenario));
        refused.map_err(|error| JobError::at(options.scenario.display(), error))?;
    }
    let _held = watch.hold_interrupts();
    let inventory = hotset_lab::up(
        &scenario,
        &directories(&options.work),
        &options.drive_command,
        &Steps(watch),
    );
    let inventory = inventory.map_err(|error| JobError::at(options.scenario.display(), error))?;
    watch.end();
    Ok(LabView(inventory))
}

/// Refuses keys that the lab does not follow.
fn refuse_any(keys: &[String]) -> Result<(), JobError> {
    match keys {
        [] => Ok(()),
        keys => refuse!(
            "the lab does not follow {}; take that out, or leave {} out",
            keys.join(", "),
            Field::StrictKeys
        ),
    }
}

/// Has the events of a scenario happen in the data-centre called `tag`, or in the only one.
///
/// # Errors
/// There is none of this name, or more than one; nothing ever happens in it.
pub fn play(tag: Option<&str>, watch: &dyn Watch) -> Result<PlayedView, JobError> {
    let _held = watch.hold_interrupts();
    let played = hotset_lab::play(Path::new(LEDGERS), tag, &Steps(watch))?;
    watch.end();
    Ok(PlayedView {
        tag: played.tag,
        events: played.events,
        left: played.left as u64,
    })
}

/// The data-centres that are up on this machine.
///
/// # Errors
/// Without root; a ledger that cannot be read.
pub fn list() -> Result<LabsView, JobError> {
    let standing = hotset_lab::standing(Path::new(LEDGERS))?.into_iter();
    let listed = standing.map(|lab| StandingLab {
        tag: lab.tag,
        since: provenance::date(lab.since),
        inventory: lab.inventory,
    });
    Ok(LabsView {
        tool: provenance::tool(),
        data_centres: listed.collect(),
    })
}

/// Takes down the data-centre called `tag`, or the only one.
///
/// # Errors
/// There is none of this name, or more than one.
pub fn down(tag: Option<&str>) -> Result<TeardownView, JobError> {
    let (tag, teardown) = hotset_lab::down(Path::new(LEDGERS), tag)?;
    Ok(TeardownView { tag, teardown })
}

/// Whether nothing of a data-centre is left.
///
/// # Errors
/// Something is, which is to be said after the report.
pub fn check_gone(view: &TeardownView) -> Result<(), JobError> {
    if !view.teardown.left.is_empty() {
        refuse!(
            "part of data-centre {} is still there; the next start of the lab tries again",
            view.tag
        );
    }
    Ok(())
}

/// Plays a disk with head, seeks and rotation, as the lab asks.
///
/// # Errors
/// When it cannot be served.
pub fn disk(options: &str) -> Result<(), JobError> {
    Ok(seeking::serve(&seeking::Options::parse(options)?)?)
}

/// Writes or reads files, as the lab asks.
///
/// # Errors
/// When they cannot be.
pub fn read(options: &str) -> Result<(), JobError> {
    Ok(ProbeJob::parse(options)?.run()?)
}
