//! The plan while it is applied.

use crate::DemoError;
use crate::job::{Job, files_of};
use hotset_live::{Pace, PlacerKind, Request, SiteFolder, State, StateFolder, apply, release};

/// What is held; taken back when dropped.
pub(crate) struct AppliedPlan<'a>(&'a StateFolder);

impl<'a> AppliedPlan<'a> {
    /// Applies the plan through a hot root; what is held then.
    pub fn apply(job: &Job, state: &'a StateFolder) -> Result<(Self, State), DemoError> {
        // What is made until applying fails is taken back, too.
        let held = Self(state);
        let applied = apply(state, &request(job), job.guardian)?;
        Ok((held, applied))
    }

    /// Takes it back.
    pub fn release(self) -> Result<(), DemoError> {
        let teardown = release(self.0)?;
        match teardown.left.is_empty() {
            true => Ok(()),
            false => Err(DemoError::Unusable(format!(
                "part of what was held is still there: {}",
                teardown.left.join("; ")
            ))),
        }
    }
}

impl Drop for AppliedPlan<'_> {
    fn drop(&mut self) {
        // The error that led here is the one to report.
        let _released = release(self.0);
    }
}

fn request(job: &Job) -> Request {
    let node = Request::nodes(job.plan)
        .first()
        .copied()
        .unwrap_or_default();
    let folder = |site: &String| SiteFolder {
        site: site.clone(),
        prefix: "/".to_owned(),
        folder: files_of(job.folder).join(site),
    };
    Request {
        placer: PlacerKind::HotRoot,
        server: None,
        folders: job.trace.sites.iter().map(folder).collect(),
        owners: Vec::new(),
        memory_bytes: job.plan.memory_bytes,
        group: None,
        staleness: Request::STALENESS,
        pace: Pace::AtOnce,
        pools: Vec::new(),
        files: Request::files_of(job.plan, node),
    }
}
