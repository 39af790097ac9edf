//! Which node behind a proxy is asked next.

use std::collections::BTreeSet;

use hotset_scenario::Balance;

use super::message::Message;

/// The state of a proxy's choice.
pub(crate) struct Balancer {
    balance: Balance,
    /// The nodes behind it.
    upstream: Vec<usize>,
    /// Whose turn it is, by place in `upstream`.
    turn: usize,
    /// Requests that each has under way, where the choice is by them.
    load: Option<Load>,
}

impl Balancer {
    /// Of these nodes, at least one.
    pub fn new(balance: Balance, upstream: &[usize]) -> Self {
        Self {
            balance,
            upstream: upstream.to_vec(),
            turn: 0,
            load: (balance == Balance::LeastConnections).then(|| Load::new(upstream)),
        }
    }

    /// A message as the proxy hands it on: a request to the node that is asked next, an answer to whoever asked.
    pub fn handed_on(&mut self, message: Message) -> Message {
        let web = match message.is_answer {
            true => usize::from(message.web),
            false => self.choose(message.file),
        };
        if message.is_answer && message.is_last {
            self.end(web);
        }
        Message {
            web: web as u16,
            ..message
        }
    }

    /// The node for a request for `file`, which it has under way from now on.
    fn choose(&mut self, file: u32) -> usize {
        let count = self.upstream.len();
        let chosen = match (self.balance, &mut self.load) {
            (Balance::Hash, _) => by_hash(file, count),
            (_, Some(load)) => load.add_to_least(self.turn),
            (_, None) => self.turn,
        };
        self.turn = (chosen + 1) % count;
        self.upstream[chosen]
    }

    /// `node` has answered a request.
    fn end(&mut self, node: usize) {
        if let Some(load) = &mut self.load {
            load.take_from(node);
        }
    }
}

/// Requests under way, by place in the list of nodes. A node may stand there several times.
struct Load {
    under_way: Vec<u32>,
    /// Places by their requests, then by number.
    ordered: BTreeSet<(u32, usize)>,
    /// Nodes with their places, rising.
    places: Vec<(usize, usize)>,
}

impl Load {
    fn new(upstream: &[usize]) -> Self {
        let places = upstream.iter().copied().zip(0..);
        let mut places: Vec<(usize, usize)> = places.collect();
        places.sort_unstable();
        Self {
            under_way: vec![0; upstream.len()],
            ordered: (0..upstream.len()).map(|place| (0, place)).collect(),
            places,
        }
    }

    /// The place with the fewest requests, which has one more now; of several the next from `turn` on, as nginx has it (`least_conn`).
    fn add_to_least(&mut self, turn: usize) -> usize {
        let first = self.ordered.first().copied().unwrap_or_default();
        let from_turn = (first.0, turn)..=(first.0, usize::MAX);
        let next = self.ordered.range(from_turn).next().copied();
        let place = next.unwrap_or(first).1;
        self.set(place, self.under_way[place] + 1);
        place
    }

    /// `node` has one less.
    fn take_from(&mut self, node: usize) {
        let first = self.places.partition_point(|it| it.0 < node);
        let mut places = self.places[first..].iter().take_while(|it| it.0 == node);
        let busy = places.find(|it| self.under_way[it.1] > 0);
        if let Some(&(_, place)) = busy {
            self.set(place, self.under_way[place] - 1);
        }
    }

    fn set(&mut self, place: usize, requests: u32) {
        let before = std::mem::replace(&mut self.under_way[place], requests);
        self.ordered.remove(&(before, place));
        self.ordered.insert((requests, place));
    }
}

/// One of `count`, always the same for a file. Numbers that follow each other are spread by the golden ratio, and the upper bits of the
/// product decide (D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4).
pub(crate) fn by_hash(file: u32, count: usize) -> usize {
    let hash = file.wrapping_mul(0x9E37_79B1);
    ((u64::from(hash) * count as u64) >> 32) as usize
}
