//! What a daemon leaves for the next one.

use super::known::KnownFiles;
use super::spec::DaemonSpec;
use crate::LiveError;
use hotset_plan::{Online, OnlineState, Period};
use hotset_trace::read::follow::Place;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Version of how it is written.
const VERSION: u32 = 1;

/// What was learnt, and how far the logs were read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved<'a> {
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

/// What a daemon knows.
pub(super) struct Learnt {
    pub known: KnownFiles,
    pub online: Online,
    /// Microseconds that were spent learning.
    pub learnt_us: i64,
}

impl Learnt {
    pub fn nothing(spec: &DaemonSpec) -> Result<Self, LiveError> {
        Ok(Self {
            known: KnownFiles::default(),
            online: Online::new(Period::Microseconds(spec.interval.as_micros() as f64))?,
            learnt_us: 0,
        })
    }
}

impl<'a> Saved<'a> {
    pub(super) fn new(
        spec: &DaemonSpec,
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
    pub(super) fn restore(self, spec: &DaemonSpec) -> Result<Learnt, &'static str> {
        if self.version != VERSION {
            return Err("it was written by another version");
        }
        if self.interval != spec.interval {
            return Err("the interval was another one");
        }
        let mut known = KnownFiles::default();
        let mut sizes = self.sizes.iter().copied();
        let mut is_sound = true;
        let online = self.online.restore(|name| {
            let site = spec.sites.iter().position(|site| site.name == name.site);
            is_sound &= site.is_some();
            let site = site.unwrap_or_default() as u16;
            known.add(site, &name.path.0, sizes.next().unwrap_or_default())
        });
        match (online, is_sound) {
            (Ok(online), true) => Ok(Learnt {
                known,
                online,
                learnt_us: self.learnt_us,
            }),
            (_, false) => Err("the scenario no longer has all of its sites"),
            (Err(_), true) => Err("it contradicts itself"),
        }
    }
}
