//! Which node behind a proxy is asked next.

use hotset_scenario::Balance;

/// The state of a proxy's choice.
pub(crate) struct Balancer {
    balance: Balance,
    /// Places of the nodes behind it.
    upstream: Vec<usize>,
    /// Requests that each has under way.
    under_way: Vec<u32>,
    /// Whose turn it is.
    turn: usize,
}

impl Balancer {
    /// Of these nodes, at least one.
    pub fn new(balance: Balance, upstream: &[usize]) -> Self {
        Self {
            balance,
            upstream: upstream.to_vec(),
            under_way: vec![0; upstream.len()],
            turn: 0,
        }
    }

    /// The node for a request for `file`, which it has under way from now on.
    pub fn choose(&mut self, file: u32) -> usize {
        let count = self.upstream.len();
        let chosen = match self.balance {
            Balance::RoundRobin => self.turn,
            Balance::Hash => by_hash(file, count),
            Balance::LeastConnections => self.least(),
        };
        self.turn = (chosen + 1) % count;
        self.under_way[chosen] += 1;
        self.upstream[chosen]
    }

    /// The one with the fewest requests; of several the one whose turn it is, as nginx has it (`least_conn`).
    fn least(&self) -> usize {
        let count = self.upstream.len();
        let in_turn = (0..count).map(|it| (self.turn + it) % count);
        in_turn
            .min_by_key(|&it| self.under_way[it])
            .unwrap_or_default()
    }

    /// `node` has answered a request.
    pub fn end(&mut self, node: usize) {
        let mut places = self.upstream.iter().zip(&mut self.under_way);
        let place = places.find(|(it, under_way)| **it == node && **under_way > 0);
        if let Some((_, under_way)) = place {
            *under_way -= 1;
        }
    }
}

/// One of `count`, always the same for a file. Numbers that follow each other are spread by the golden ratio, and the upper bits of the
/// product decide (D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4).
fn by_hash(file: u32, count: usize) -> usize {
    let hash = file.wrapping_mul(0x9E37_79B1);
    ((u64::from(hash) * count as u64) >> 32) as usize
}
