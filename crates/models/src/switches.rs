//! Switches and the links between them: where machines are connected, and by which switches messages go.
//!
//! A switch sends a message on by where it is for alone, so a message goes the same way whoever sent it. Torus and mesh go along one
//! dimension after the other, the shorter way around (dimension-order routing; W. J. Dally and B. Towles, Principles and Practices of
//! Interconnection Networks, 2004, section 8.4.1). A fat tree goes up by the number of the machine that a message is for (D-mod-k; E.
//! Zahavi, Concurrency and Computation: Practice and Experience, 2012), and down the one way there is.

/// Switches and how they are linked. Each place is for a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Three levels of switches with so many ports each, an even number: a quarter of its cube are places (M. Al-Fares, A. Loukissas and A.
    /// Vahdat, A Scalable, Commodity Data Center Network Architecture, SIGCOMM 2008).
    FatTree {
        /// Ports of a switch.
        ports: usize,
    },
    /// A switch a place, in a grid of this size. Dimensions that are not there have size 1.
    Mesh {
        /// Switches along each dimension.
        size: [usize; 3],
    },
    /// The same with the ends of each dimension linked.
    Torus {
        /// Switches along each dimension.
        size: [usize; 3],
    },
}

impl Topology {
    /// Machines that it has room for.
    #[must_use]
    pub fn places(self) -> usize {
        match self {
            Self::FatTree { ports } => ports * ports * ports / 4,
            Self::Mesh { size } | Self::Torus { size } => size.iter().product(),
        }
    }

    /// The switch that a place is at.
    #[must_use]
    pub fn switch_of(self, place: usize) -> usize {
        match self {
            Self::FatTree { ports } => place / (ports / 2),
            Self::Mesh { .. } | Self::Torus { .. } => place,
        }
    }

    /// The links between switches, each by the numbers of both.
    #[must_use]
    pub fn links(self) -> Vec<[usize; 2]> {
        match self {
            Self::FatTree { ports } => Tree::of(ports).links(),
            Self::Mesh { size } => Grid { size, wraps: false }.links(),
            Self::Torus { size } => Grid { size, wraps: true }.links(),
        }
    }

    /// The switch to which `switch` sends on what is for a place that is at another switch.
    #[must_use]
    pub fn next(self, switch: usize, place: usize) -> usize {
        match self {
            Self::FatTree { ports } => Tree::of(ports).next(switch, place),
            Self::Mesh { size } => Grid { size, wraps: false }.next(switch, place),
            Self::Torus { size } => Grid { size, wraps: true }.next(switch, place),
        }
    }

    /// The links from a place to another, by their numbers among [`Topology::links`], in the order in which they are passed. Each is passed
    /// from its first switch to its second, or backwards.
    #[must_use]
    pub fn route(self, from: usize, to: usize) -> Vec<(usize, bool)> {
        let links = self.links();
        let (mut switch, end) = (self.switch_of(from), self.switch_of(to));
        let mut route = Vec::new();
        while switch != end {
            let next = self.next(switch, to);
            let forward = links.iter().position(|it| *it == [switch, next]);
            let backward = || links.iter().position(|it| *it == [next, switch]);
            let hop = forward.map(|link| (link, false));
            // Switches send on by links alone.
            let Some(hop) = hop.or_else(|| backward().map(|link| (link, true))) else {
                return route;
            };
            route.push(hop);
            switch = next;
        }
        route
    }
}

/// A fat tree: `half` switches at the edge and as many above them in each of `2 * half` pods, and `half * half` at the core.
#[derive(Clone, Copy)]
struct Tree {
    half: usize,
}

impl Tree {
    fn of(ports: usize) -> Self {
        Self {
            half: (ports / 2).max(1),
        }
    }

    /// Switches at the edge, and as many above them.
    fn edges(self) -> usize {
        2 * self.half * self.half
    }

    fn upper(self, pod: usize, number: usize) -> usize {
        self.edges() + pod * self.half + number
    }

    fn core(self, group: usize, number: usize) -> usize {
        2 * self.edges() + group * self.half + number
    }

    fn links(self) -> Vec<[usize; 2]> {
        let mut links = Vec::new();
        for pod in 0..2 * self.half {
            for upper in 0..self.half {
                let above = self.upper(pod, upper);
                links.extend((0..self.half).map(|edge| [pod * self.half + edge, above]));
                links.extend((0..self.half).map(|number| [above, self.core(upper, number)]));
            }
        }
        links
    }

    fn next(self, switch: usize, place: usize) -> usize {
        let (half, edges) = (self.half, self.edges());
        let edge = place / half;
        let pod = edge / half;
        match switch {
            at if at < edges => self.upper(at / half, place % half),
            at if at < 2 * edges => {
                let (own_pod, number) = ((at - edges) / half, (at - edges) % half);
                match own_pod == pod {
                    true => edge,
                    false => self.core(number, edge % half),
                }
            }
            at => self.upper(pod, (at - 2 * edges) / half),
        }
    }
}

/// A mesh, or a torus if its ends are linked.
#[derive(Clone, Copy)]
struct Grid {
    size: [usize; 3],
    wraps: bool,
}

impl Grid {
    fn links(self) -> Vec<[usize; 2]> {
        let mut links = Vec::new();
        let switches: usize = self.size.iter().product();
        for switch in 0..switches {
            let at = self.coordinates(switch);
            for (dimension, &size) in self.size.iter().enumerate() {
                let is_end = at[dimension] + 1 == size;
                // Two switches have one link, not one each way around.
                if !is_end || (self.wraps && size > 2) {
                    let mut other = at;
                    other[dimension] = (at[dimension] + 1) % size;
                    links.push([switch, self.number(other)]);
                }
            }
        }
        links
    }

    fn next(self, switch: usize, place: usize) -> usize {
        let (mut at, to) = (self.coordinates(switch), self.coordinates(place));
        let differs = (0..self.size.len()).find(|&it| at[it] != to[it]);
        let Some(dimension) = differs else {
            return switch;
        };
        let size = self.size[dimension];
        let (from, to) = (at[dimension], to[dimension]);
        let goes_up = match self.wraps {
            true => 2 * ((to + size - from) % size) <= size,
            false => to > from,
        };
        at[dimension] = match goes_up {
            true => (from + 1) % size,
            false => (from + size - 1) % size,
        };
        self.number(at)
    }

    fn coordinates(self, switch: usize) -> [usize; 3] {
        let [x, y, _] = self.size;
        [switch % x, switch / x % y, switch / (x * y)]
    }

    fn number(self, [x, y, z]: [usize; 3]) -> usize {
        x + self.size[0] * (y + self.size[1] * z)
    }
}
