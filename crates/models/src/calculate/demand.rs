//! What requests ask of a station: how often they visit it, and how long they are served there.

use std::collections::BTreeMap;

/// Bins of service times to a doubling: those of a bin differ by less than a fifth.
const BINS_PER_DOUBLING: f64 = 4.0;

/// Visits that are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Visits {
    /// How many.
    pub number: f64,
    /// Service time of each, seconds.
    pub seconds: f64,
    /// How much the square of that varies beyond the mean's, seconds².
    pub variance: f64,
    /// Square of the service time of each, seconds², where all of it comes at once. Of one that comes in parts, the squares of those, and
    /// twice each times what it waits for the parts before it. That is twice what is left to be served, over time.
    pub square: f64,
}

impl Visits {
    /// One visit of so many seconds, which comes at once.
    #[must_use]
    pub fn one(seconds: f64) -> Self {
        Self::several(1.0, seconds)
    }

    /// Several of so many seconds each.
    #[must_use]
    pub fn several(number: f64, seconds: f64) -> Self {
        Self {
            number,
            seconds,
            variance: 0.0,
            square: seconds * seconds,
        }
    }
}

/// The service demand of a request at a station (Lazowska et al., "Quantitative System Performance", 1984, section 3.3), with the
/// spread of its service times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    visits: f64,
    seconds: f64,
    square: f64,
    is_exponential: bool,
    /// Seconds of visits, and their squares, by bins of service times.
    bins: BTreeMap<i32, (f64, f64)>,
}

impl Demand {
    /// Services of exponential length: so many visits, and all their seconds together.
    #[must_use]
    pub fn exponential(visits: f64, seconds: f64) -> Self {
        let square = match visits > 0.0 {
            true => 2.0 * seconds * seconds / visits,
            false => 0.0,
        };
        Self {
            visits,
            seconds,
            square,
            is_exponential: true,
            bins: BTreeMap::new(),
        }
    }

    /// Adds visits, counted `weight` times.
    pub fn add(&mut self, weight: f64, of: Visits) {
        let number = weight * of.number;
        self.visits += number;
        self.seconds += number * of.seconds;
        self.square += number * (of.square + of.variance);
        if of.seconds > 0.0 && of.square > 0.0 {
            let bin = (of.seconds.log2() * BINS_PER_DOUBLING).floor() as i32;
            let (seconds, square) = self.bins.entry(bin).or_default();
            *seconds += number * of.seconds;
            *square += number * of.square;
        }
    }

    /// Adds the visits of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.visits += other.visits;
        self.seconds += other.seconds;
        self.square += other.square;
        self.is_exponential |= other.is_exponential;
        for (&bin, &(seconds, square)) in &other.bins {
            let own = self.bins.entry(bin).or_default();
            own.0 += seconds;
            own.1 += square;
        }
    }

    /// That of one of so many requests, of all of which this is the sum.
    #[must_use]
    pub fn of_each(&self, requests: f64) -> Self {
        let share = if requests > 0.0 { 1.0 / requests } else { 0.0 };
        let bins = self.bins.iter();
        let bins = bins.map(|(&bin, &(seconds, square))| (bin, (seconds * share, square * share)));
        Self {
            visits: self.visits * share,
            seconds: self.seconds * share,
            square: self.square * share,
            is_exponential: self.is_exponential,
            bins: bins.collect(),
        }
    }

    /// Visits of a request.
    #[must_use]
    pub fn visits(&self) -> f64 {
        self.visits
    }

    /// Seconds of service of a request, all visits together.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Mean seconds of a visit.
    #[must_use]
    pub fn each_s(&self) -> f64 {
        match self.visits > 0.0 {
            true => self.seconds / self.visits,
            false => 0.0,
        }
    }

    /// Squares of the service times of a request's visits, seconds²: see [`Visits::square`].
    #[must_use]
    pub fn square(&self) -> f64 {
        self.square
    }

    /// Sum of something over all services, by how many seconds they take. Of what comes in parts, they are as many as have its square.
    #[must_use]
    pub fn sum_over(&self, of: impl Fn(f64) -> f64) -> f64 {
        let each = self.each().map(|(number, seconds)| number * of(seconds));
        each.sum()
    }

    /// These services: how many take so many seconds, rising. Exponential ones are not among them.
    #[must_use]
    pub fn services(&self) -> Vec<(f64, f64)> {
        let mut services: Vec<(f64, f64)> = self.each().collect();
        services.sort_by(|one, other| one.1.total_cmp(&other.1));
        services
    }

    fn each(&self) -> impl Iterator<Item = (f64, f64)> {
        let bins = self.bins.values();
        bins.map(|&(seconds, square)| (seconds * seconds / square, square / seconds))
    }

    /// Their squares as those see them who are away from the station for `away_s` between two visits.
    ///
    /// Arrivals see a service in proportion to its length, but a long one holds everybody up, so that fewer and fewer are left to
    /// arrive. One who is away for an exponential time of mean z arrives during a service of s with probability 1 - exp(-s/z),
    /// and finds s - z (1 - exp(-s/z)) of it on average. That is s²/2z for short services. The factor (z + b)/z, of the mean service
    /// b, makes it exact for exponential services, of which mean value analysis is exact. A service that comes in parts is as many
    /// shorter ones as have its square.
    #[must_use]
    pub fn seen_square(&self, away_s: f64) -> f64 {
        if self.is_exponential {
            return self.square;
        }
        let found = self.sum_over(|seconds| found_s(seconds, away_s));
        let known: f64 = self.bins.values().map(|it| it.1).sum();
        let seen = 2.0 * (away_s.max(0.0) + self.each_s()) * found + (self.square - known).max(0.0);
        seen.min(self.square)
    }
}

/// What one who comes after an exponential time of mean `away_s` finds left of a service, on average over all who would come, seconds.
fn found_s(service_s: f64, away_s: f64) -> f64 {
    if away_s <= 0.0 {
        return service_s;
    }
    let ratio = service_s / away_s;
    match ratio < 1e-3 {
        // The difference of nearly equal numbers would be lost.
        true => away_s * ratio * ratio * (0.5 - ratio / 6.0),
        false => away_s * (ratio - 1.0 + (-ratio).exp()),
    }
}
