//! How busy processors, workers, disks and links were, second by second: looked at when each is over, so that no request costs more.

use hotset_outcome::{Resource, Timeline};
use hotset_petri::Time;

use super::result::{NodeResult, OtherLink};

const SECOND_NS: u64 = 1_000_000_000;
/// No more points than this: twenty minutes by the second.
const MOST_POINTS: usize = 1200;
/// No more values than this of all resources together, or the result of a thousand nodes would be larger than a machine's memory.
const MOST_VALUES: usize = 1 << 17;

/// How long something was busy, and how long it could have been, nanoseconds since measuring began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Busy {
    pub busy_ns: f64,
    pub time_ns: f64,
}

impl Busy {
    /// The share of the time since `before` in which it was busy.
    fn share_since(self, before: Self) -> f64 {
        let time_ns = self.time_ns - before.time_ns;
        match time_ns > 0.0 {
            // A disk's service counts when it begins.
            true => ((self.busy_ns - before.busy_ns) / time_ns).clamp(0.0, 1.0),
            false => 0.0,
        }
    }
}

/// How busy each resource was in each second since measuring began. Where seconds are too many for a document, it is in each two, four and
/// so on.
pub(super) struct BusyOverTime {
    started: Time,
    /// How long a point is.
    length_ns: u64,
    most: usize,
    /// Each resource at the end of the last point.
    before: Vec<Busy>,
    /// By point, the share of each resource.
    points: Vec<Vec<f64>>,
}

impl BusyOverTime {
    /// From now on, where resources are as `before` tells.
    pub fn new(started: Time, before: Vec<Busy>) -> Self {
        let fair = MOST_VALUES / before.len().max(1);
        Self {
            started,
            length_ns: SECOND_NS,
            // Pairs of points become one.
            most: (fair / 2 * 2).clamp(2, MOST_POINTS),
            before,
            points: Vec::new(),
        }
    }

    /// When measuring began.
    pub fn started(&self) -> Time {
        self.started
    }

    /// When resources are looked at next.
    pub fn next_look(&self) -> Time {
        let points = self.points.len() as u64 + 1;
        Time::from_nanos(self.started.nanos() + points * self.length_ns)
    }

    /// That time has come, and this is how busy resources were until then.
    pub fn add(&mut self, busy: Vec<Busy>) {
        if self.points.len() < self.most {
            self.push(busy);
        } else {
            // This is the middle of a point now.
            self.double();
        }
    }

    fn push(&mut self, busy: Vec<Busy>) {
        let both = busy.iter().zip(&self.before);
        let shares = both.map(|(now, before)| now.share_since(*before));
        self.points.push(shares.collect());
        self.before = busy;
    }

    fn double(&mut self) {
        let mean = |pair: &[Vec<f64>]| -> Vec<f64> {
            let of = |at: usize| pair.iter().map(|it| it[at]).sum::<f64>() / pair.len() as f64;
            (0..self.before.len()).map(of).collect()
        };
        self.points = self.points.chunks(2).map(mean).collect();
        self.length_ns *= 2;
    }

    /// Gives each resource of the nodes, then of other links, its timeline, where measuring ends now and resources were so busy.
    pub fn end(
        mut self,
        now: Time,
        busy: Vec<Busy>,
        (nodes, other_links): (&mut [NodeResult], &mut [OtherLink]),
    ) {
        let length_ns = (now - self.started).nanos();
        if length_ns > self.points.len() as u64 * self.length_ns {
            if self.points.len() == self.most {
                self.double();
            }
            self.push(busy);
        }
        if self.points.is_empty() {
            return;
        }
        let (point_s, whole_s) = (self.length_ns as f64 / 1e9, length_ns as f64 / 1e9);
        let ends = (1..=self.points.len()).map(|it| (it as f64 * point_s).min(whole_s));
        let ends: Vec<f64> = ends.collect();
        let other_links = other_links.iter_mut().flat_map(|it| &mut it.counts.ways);
        let resources = nodes.iter_mut().flat_map(resources).chain(other_links);
        for (at, resource) in resources.enumerate() {
            resource.timeline = Some(Timeline {
                seconds: ends.clone(),
                utilisation: self.points.iter().map(|it| it[at]).collect(),
                ..Timeline::default()
            });
        }
    }
}

/// Those of a node, in the order in which they are looked at.
fn resources(node: &mut NodeResult) -> impl Iterator<Item = &mut Resource> {
    let ways = node.link.iter_mut().flat_map(|link| &mut link.ways);
    let servers = std::iter::once(&mut node.processors).chain(&mut node.workers);
    servers.chain(&mut node.disks).chain(ways)
}
