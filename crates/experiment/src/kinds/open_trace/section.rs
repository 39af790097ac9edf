//! `[open-trace]`: which traces are sent at which scales, to which nodes.

use std::collections::BTreeMap;

use hotset_replay::schedule::SCALES;
use hotset_trace::read::CountingRule;
use hotset_workload::Workload;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// What is measured.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Scales of twins of the documents' workloads, by name.
    #[serde(default, deserialize_with = "twins")]
    pub twins: BTreeMap<String, Vec<f64>>,
    /// How long a twin lasts at scale 1, minutes; at least so long with `seconds`.
    #[serde(default = "usual_minutes", deserialize_with = "minutes")]
    pub twin_minutes: u32,
    /// How long each twin is sent at least, seconds: it is of as many whole minutes as take so long at its scale, and connections that outlast
    /// them go on at the beginning ([`Schedule::folded`](hotset_replay::Schedule::folded)). Logs are sent whole.
    #[serde(default, deserialize_with = "seconds")]
    pub seconds: Option<u32>,
    /// Logs of servers, by a name to be shown.
    #[serde(default)]
    pub logs: BTreeMap<String, Log>,
    /// What the nodes' stores are, by a name to be shown, in the order of the names.
    #[serde(deserialize_with = "nodes")]
    pub nodes: BTreeMap<String, NodeStores>,
    /// How often everything is measured, the nodes taking turns.
    #[serde(default = "usual_runs", deserialize_with = "runs")]
    pub runs: u64,
}

/// A log that is sent.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Log {
    /// Where it is, from the experiment's folder on.
    pub file: String,
    /// Its connections start this many times as often.
    #[serde(deserialize_with = "scales")]
    pub scales: Vec<f64>,
    /// By which rule its requests are counted. It decides which are sent, and what files are called.
    #[serde(default)]
    pub rule: CountingRule,
}

/// Where a node has its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeStores {
    /// Name of the store of the sites' files.
    pub content: String,
    /// Name of the store of the server's program, its libraries and its logs. A node whose both stores are on file servers has no
    /// disk.
    pub system: String,
}

impl NodeStores {
    /// Both, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![self.content.as_str(), self.system.as_str()];
        names.dedup();
        names
    }
}

/// Minutes of the day that a twin is of.
pub(super) const DAY_MINUTES: u32 = 1440;
const SECONDS_A_MINUTE: f64 = 60.0;

impl Section {
    /// Minutes of the day that a twin sent at this scale is of: a whole number, as every twin has. More or fewer of them in the same time
    /// would be sent at another rate than the scale's.
    pub fn minutes(&self, scale: f64) -> f64 {
        let least = self.seconds.map_or(0.0, f64::from) * scale / SECONDS_A_MINUTE;
        f64::from(self.twin_minutes).max(least).ceil()
    }

    /// How long a twin is sent at this scale, seconds; none where its last connections end when they end.
    pub fn lasting_s(&self, scale: f64) -> Option<f64> {
        let lasting_s = self.minutes(scale) * SECONDS_A_MINUTE / scale;
        self.seconds.map(|_| lasting_s)
    }

    /// Refuses what does not fit together.
    pub fn check(&self) -> Result<(), String> {
        if self.twins.is_empty() && self.logs.is_empty() {
            return Err(
                "names nothing to send: add [open-trace.twins] or [open-trace.logs]".into(),
            );
        }
        if let Some(name) = self.logs.keys().find(|name| self.twins.contains_key(*name)) {
            return Err(format!(
                "calls a log `{name}` as a twin; give it another name"
            ));
        }
        let of_a_day = |scale: &&f64| self.minutes(**scale) <= f64::from(DAY_MINUTES);
        match self.twins.values().flatten().find(|scale| !of_a_day(scale)) {
            Some(scale) => Err(format!(
                "sends {:.0} minutes of a twin at scale {scale}, and twins are of a day, which has {DAY_MINUTES}; lower `seconds` or the scale",
                self.minutes(*scale)
            )),
            None => Ok(()),
        }
    }
}

fn usual_minutes() -> u32 {
    2
}

fn usual_runs() -> u64 {
    5
}

fn minutes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        minutes if (1..=DAY_MINUTES).contains(&minutes) => Ok(minutes),
        minutes => Err(D::Error::custom(format!(
            "{minutes} minutes are not between 1 and {DAY_MINUTES}"
        ))),
    }
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    const DAY_SECONDS: u32 = DAY_MINUTES * 60;
    match u32::deserialize(deserializer)? {
        seconds if (1..=DAY_SECONDS).contains(&seconds) => Ok(Some(seconds)),
        seconds => Err(D::Error::custom(format!(
            "{seconds} seconds are not between 1 and {DAY_SECONDS}"
        ))),
    }
}

fn runs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        runs if (1..=1000).contains(&runs) => Ok(runs),
        runs => Err(D::Error::custom(format!(
            "{runs} is not between 1 and 1000"
        ))),
    }
}

fn scales<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let scales = Vec::<f64>::deserialize(deserializer)?;
    check(&scales).map_err(D::Error::custom)?;
    Ok(scales)
}

fn check(scales: &[f64]) -> Result<(), String> {
    let is_twice = |(at, scale): (usize, &f64)| scales[..at].contains(scale);
    if scales.iter().enumerate().any(is_twice) {
        return Err("a scale is there twice, whose runs would count twice; take one out".into());
    }
    match scales.is_empty() || !scales.iter().all(|scale| SCALES.contains(scale)) {
        true => Err(format!(
            "write a list of scales from {} to {}",
            SCALES.start(),
            SCALES.end()
        )),
        false => Ok(()),
    }
}

fn twins<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Vec<f64>>, D::Error> {
    let twins = BTreeMap::<String, Vec<f64>>::deserialize(deserializer)?;
    for (name, scales) in &twins {
        name.parse::<Workload>().map_err(D::Error::custom)?;
        check(scales).map_err(D::Error::custom)?;
    }
    Ok(twins)
}

fn nodes<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, NodeStores>, D::Error> {
    let nodes = BTreeMap::<String, NodeStores>::deserialize(deserializer)?;
    match nodes.is_empty() {
        true => Err(D::Error::custom("name at least one node and its stores")),
        false => Ok(nodes),
    }
}
