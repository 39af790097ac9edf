//! Which node behind a proxy is asked next.

use std::collections::BTreeSet;

use hotset_petri::Time;
use hotset_scenario::Balance;

use super::faults::Faults;
use super::message::Message;

/// How long a proxy leaves a node alone that has failed once: nginx's defaults (`max_fails=1`, `fail_timeout=10s`).
const FAIL_TIMEOUT: Time = Time::from_nanos(10_000_000_000);

/// The state of a proxy's choice.
pub(crate) struct Balancer {
    /// The proxy, and how often it has gone down.
    node: usize,
    downs: u32,
    balance: Balance,
    /// The nodes behind it.
    upstream: Vec<usize>,
    /// Whose turn it is, by place in `upstream`.
    turn: usize,
    /// Requests that each has under way, where the choice is by them.
    load: Option<Load>,
    /// Until when each is left alone, by place in `upstream`.
    failed_until: Vec<Time>,
}

impl Balancer {
    /// Of these nodes behind the proxy `node`, at least one.
    pub fn new(node: usize, balance: Balance, upstream: &[usize]) -> Self {
        Self {
            node,
            downs: 0,
            balance,
            upstream: upstream.to_vec(),
            turn: 0,
            load: (balance == Balance::LeastConnections).then(|| Load::new(upstream)),
            failed_until: vec![Time::ZERO; upstream.len()],
        }
    }

    /// A message as the proxy hands it on: a request to the node that is asked next, an answer to whoever asked. Nothing where nobody
    /// waits for it any more.
    pub fn handed_on(
        &mut self,
        now: Time,
        message: Message,
        faults: &mut Faults,
    ) -> Option<Message> {
        if faults.is_stale(&message) {
            return None;
        }
        for web in faults.closed_behind(self.node) {
            self.end(web);
        }
        self.begin_anew(faults.downs(self.node));
        let web = usize::from(message.web);
        if message.tells_of_node() || (message.attempt > 0 && !message.is_answer) {
            // The node that had it has gone down.
            self.leave_alone(web, now);
        }
        if message.is_answer {
            faults.answer(&message);
            if message.is_last {
                self.end(web);
            }
            return Some(message);
        }
        if message.attempt > 0 {
            self.end(web);
        }
        let chosen = self.choose(now, message.file, faults);
        faults.hand_on(&message, chosen);
        Some(match chosen {
            Some(web) => Message {
                web: web as u16,
                ..message
            },
            None => message.error(),
        })
    }

    /// A proxy that has been down has no request under way, and knows nothing of failures.
    fn begin_anew(&mut self, downs: u32) {
        if self.downs != downs {
            *self = Self {
                downs,
                ..Self::new(self.node, self.balance, &self.upstream)
            };
        }
    }

    /// The node for a request for `file`, which it has under way from now on; nothing where all are down.
    fn choose(&mut self, now: Time, file: u32, faults: &Faults) -> Option<usize> {
        let count = self.upstream.len();
        let chosen = match faults.are_possible() {
            true => self.choose_working(now, file, faults)?,
            false => match (self.balance, &mut self.load) {
                (Balance::Hash, _) => by_hash(file, count),
                (_, Some(load)) => load.add_to_least(self.turn),
                (_, None) => self.turn,
            },
        };
        self.turn = (chosen + 1) % count;
        Some(self.upstream[chosen])
    }

    /// The place of a node that has not failed: the next one in the list where that one has, as nginx asks the next
    /// (`proxy_next_upstream`). That a connection is refused takes no time here.
    fn choose_working(&mut self, now: Time, file: u32, faults: &Faults) -> Option<usize> {
        let count = self.upstream.len();
        let first = match self.balance {
            Balance::Hash => by_hash(file, count),
            _ => self.turn,
        };
        loop {
            let places = (0..count).map(|step| (first + step) % count);
            // A lone node is asked whatever happened to it.
            let working = places.filter(|&it| count == 1 || self.failed_until[it] <= now);
            let requests = |&it: &usize| self.load.as_ref().map_or(0, |load| load.under_way[it]);
            let chosen = working.min_by_key(requests)?;
            if faults.is_out_of_reach(Some(self.node), self.upstream[chosen]) {
                if count == 1 {
                    return None;
                }
                self.failed_until[chosen] = now + FAIL_TIMEOUT;
                continue;
            }
            if let Some(load) = &mut self.load {
                load.set(chosen, load.under_way[chosen] + 1);
            }
            return Some(chosen);
        }
    }

    /// A node has failed: it is left alone for a while.
    fn leave_alone(&mut self, node: usize, now: Time) {
        let places = self.upstream.iter().zip(&mut self.failed_until);
        for (_, until) in places.filter(|(it, _)| **it == node) {
            *until = now + FAIL_TIMEOUT;
        }
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
