//! What a runner leaves for the next one: its file, written and read.

use super::known::KnownFiles;
use super::spec::{RunSite, RunSpec};
use crate::LiveError;
use hotset_plan::{Online, OnlineState, Period, SiteTerms};
use hotset_scenario::Site;
use hotset_trace::read::follow::Place;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Version of how it is written.
const VERSION: u32 = 1;

/// What was learnt, and how far the logs were read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint<'a> {
    version: u32,
    /// How far each log was read.
    pub(super) logs: BTreeMap<String, Place>,
    interval: Duration,
    /// Microseconds that were spent learning.
    learnt_us: i64,
    /// Bytes of each file, in the order of `online`.
    sizes: Vec<u64>,
    online: OnlineState<'a>,
}

/// What a runner knows.
pub(super) struct Knowledge {
    pub known: KnownFiles,
    pub online: Online,
    /// Microseconds that were spent learning.
    pub learnt_us: i64,
}

impl Knowledge {
    pub fn nothing(spec: &RunSpec) -> Result<Self, LiveError> {
        Ok(Self {
            known: KnownFiles::default(),
            online: Online::new(Period::Microseconds(spec.interval.as_micros() as f64))?,
            learnt_us: 0,
        })
    }
}

impl<'a> Checkpoint<'a> {
    pub(super) fn new(
        spec: &RunSpec,
        logs: BTreeMap<String, Place>,
        learnt_us: i64,
        sizes: Vec<u64>,
        online: OnlineState<'a>,
    ) -> Self {
        Self {
            version: VERSION,
            logs,
            interval: spec.interval,
            learnt_us,
            sizes,
            online,
        }
    }

    /// What was learnt; else why it is of no use.
    pub(super) fn restore(self, spec: &RunSpec) -> Result<Knowledge, &'static str> {
        if self.version != VERSION {
            return Err("it was written by another version");
        }
        if self.interval != spec.interval {
            return Err("the interval was another one");
        }
        let mut known = KnownFiles::default();
        let mut sizes = self.sizes.iter().copied();
        let online = self.online.restore(|name| {
            let site = spec.sites.iter().position(|site| site.name == name.site);
            let size_bytes = sizes.next().unwrap_or_default();
            known.add(site.unwrap_or_default() as u16, &name.path.0, size_bytes)
        });
        match online {
            Ok(online) => Ok(Knowledge {
                known,
                online,
                learnt_us: self.learnt_us,
            }),
            Err(_) => Err("it contradicts itself"),
        }
    }

    /// Sites that something was learnt of and that a specification does not have any more. Reading their files from memory saves
    /// nothing, so that none is held.
    pub(super) fn other_sites(&self, spec: &RunSpec) -> Vec<RunSite> {
        let is_own = |name: &String| spec.sites.iter().any(|site| site.name == *name);
        let others = self.online.sites().into_iter().filter(|name| !is_own(name));
        let site = |name: String| RunSite {
            name,
            terms: SiteTerms::default(),
            targets: Vec::new(),
            store: spec.memory.clone(),
            client_share: Site::CLIENT_SHARE,
        };
        others.map(site).collect()
    }

    /// The same, whatever becomes of the runner.
    pub(super) fn into_owned(self) -> Checkpoint<'static> {
        Checkpoint {
            version: self.version,
            logs: self.logs,
            interval: self.interval,
            learnt_us: self.learnt_us,
            sizes: self.sizes,
            online: self.online.into_owned(),
        }
    }
}
