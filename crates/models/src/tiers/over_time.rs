//! Requests, errors and bytes second by second.

use hotset_outcome::Timeline;
use hotset_petri::Time;

const SECOND_NS: u64 = 1_000_000_000;
/// No more points than this: twenty minutes by the second.
const MOST_POINTS: usize = 1200;

/// What happened in each second since measuring began; where there are too many for a document, in each two, four and so on.
#[derive(Clone, Default)]
pub(super) struct OverTime {
    points: Vec<Point>,
    /// How often points were doubled in length.
    doublings: u32,
}

#[derive(Clone, Copy, Default)]
struct Point {
    requests: u64,
    errors: u64,
    bytes: u64,
}

impl OverTime {
    /// A request for so many bytes was answered.
    pub fn answer(&mut self, since: Time, bytes: u64) {
        let point = self.point(since);
        point.requests += 1;
        point.bytes += bytes;
    }

    /// A request failed.
    pub fn fail(&mut self, since: Time) {
        self.point(since).errors += 1;
    }

    fn length_ns(&self) -> u64 {
        SECOND_NS << self.doublings
    }

    fn point(&mut self, since: Time) -> &mut Point {
        self.reach(since);
        let place = (since.nanos() / self.length_ns()) as usize;
        if self.points.len() <= place {
            self.points.resize(place + 1, Point::default());
        }
        &mut self.points[place]
    }

    /// Makes points so long that there are not too many until then.
    fn reach(&mut self, since: Time) {
        while since.nanos() / self.length_ns() >= MOST_POINTS as u64 {
            let pairs = self.points.chunks(2);
            let sum = |pair: &[Point]| pair.iter().copied().fold(Point::default(), Point::and);
            self.points = pairs.map(sum).collect();
            self.doublings += 1;
        }
    }

    /// As outcomes have it, of so many seconds that were measured; errors where there may be some. Nothing where no time passed.
    pub fn timeline(&self, seconds: f64, may_fail: bool) -> Option<Timeline> {
        let mut reached = self.clone();
        reached.reach(Time::from_secs(seconds)?);
        let length_s = reached.length_ns() as f64 / SECOND_NS as f64;
        // What ends with the last moment is of the second before.
        let count = (seconds / length_s).ceil() as usize;
        if count == 0 {
            return None;
        }
        let mut points = reached.points;
        let beyond = points.split_off(points.len().min(count));
        points.resize(count, Point::default());
        if let Some(last) = points.last_mut() {
            *last = beyond.into_iter().fold(*last, Point::and);
        }
        let ends = (1..=count).map(|it| (it as f64 * length_s).min(seconds));
        let column = |of: fn(&Point) -> u64| -> Vec<u64> { points.iter().map(of).collect() };
        Some(Timeline {
            seconds: ends.collect(),
            requests: column(|it| it.requests),
            errors: match may_fail {
                true => column(|it| it.errors),
                false => Vec::new(),
            },
            bytes: column(|it| it.bytes),
            ..Timeline::default()
        })
    }
}

impl Point {
    fn and(self, other: Point) -> Point {
        Point {
            requests: self.requests + other.requests,
            errors: self.errors + other.errors,
            bytes: self.bytes + other.bytes,
        }
    }
}
