//! Nodes that are down, links that are cut or have another rate, and what becomes of requests under way thereby.
//!
//! Where a node goes down, all its requests end there at once: their connections are reset. A proxy asks another node for those of
//! which no byte has come to it, as nginx does (`proxy_next_upstream error timeout`), and its clients see an error for the others. What
//! is still on its way for such a request is stale: it takes nothing any more, and is dropped.

use std::collections::BTreeMap;

use hotset_petri::Time;

use super::message::Message;
use super::system::Change;

/// What has failed, and requests under way. Where nothing can fail, nothing is kept.
pub(crate) struct Faults {
    is_used: bool,
    /// How often something has happened, or a client has given a request up.
    changes: u32,
    /// Requests that were made before are given up, and how often some were.
    given_up: Time,
    round: u32,
    /// By node: whether it is down, and how often it was. By link: the rate that it has since an event.
    down: Vec<Down>,
    downs: Vec<u32>,
    rates: Vec<Option<u64>>,
    /// Links between two nodes that are cut.
    cut: Vec<[usize; 2]>,
    /// By place in the traffic, so that failures come in the same order each time.
    under_way: BTreeMap<u32, UnderWay>,
    /// Requests that clients have given up: proxies that do not know yet, and the nodes behind them that had them.
    closed: Vec<(usize, usize)>,
}

/// Why a node cannot be reached.
#[derive(Clone, Copy, Default)]
struct Down {
    /// It is down itself.
    itself: bool,
    /// Its link to the switch is cut.
    link: bool,
}

impl Down {
    fn is_any(self) -> bool {
        self.itself || self.link
    }
}

struct UnderWay {
    /// As it was last asked.
    request: Message,
    /// The node behind its proxy that has it; also where that has failed, until the proxy asks another.
    web: Option<usize>,
    /// Whether a byte of its answer has come to the proxy.
    has_begun: bool,
}

impl Faults {
    /// Of so many links; there are no more nodes than that. Nothing is kept where it is not used.
    pub fn new(is_used: bool, links: usize) -> Self {
        Self {
            is_used,
            changes: 0,
            given_up: Time::ZERO,
            round: 0,
            down: vec![Down::default(); links],
            downs: vec![0; links],
            rates: vec![None; links],
            cut: Vec::new(),
            under_way: BTreeMap::new(),
            closed: Vec::new(),
        }
    }

    /// Whether anything may fail.
    pub fn are_possible(&self) -> bool {
        self.is_used
    }

    /// How often something has happened, or a client has given a request up.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Whether a node cannot be reached from another, or by whoever is on none.
    #[inline]
    pub fn is_out_of_reach(&self, from: Option<usize>, node: usize) -> bool {
        if self.down[node].is_any() {
            return true;
        }
        from.is_some_and(|from| self.down[from].is_any() || self.is_cut(from, node))
    }

    fn is_cut(&self, from: usize, to: usize) -> bool {
        self.cut.iter().any(|&between| joins(between, from, to))
    }

    /// How often a node has gone down, or lost all its requests because clients have gone.
    pub fn downs(&self, node: usize) -> u32 {
        self.downs[node] + self.round
    }

    /// All clients have gone. Nobody waits any more for what was asked for until now.
    pub fn give_up(&mut self, now: Time) {
        self.given_up = now + Time::from_nanos(1);
        self.round += 1;
        self.under_way.clear();
    }

    /// How often they have.
    #[inline]
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The rate that a link has since an event, bits in a second.
    #[inline]
    pub fn rate(&self, link: usize) -> Option<u64> {
        self.rates[link]
    }

    /// Whether nobody waits for it any more.
    #[inline]
    pub fn is_stale(&self, message: &Message) -> bool {
        // Kernels wait for answers to calls, whatever becomes of requests.
        let is_call = message.of_call().is_some();
        !is_call && (message.since < self.given_up || (self.is_used && !self.is_awaited(message)))
    }

    fn is_awaited(&self, message: &Message) -> bool {
        let under_way = self.under_way.get(&message.row);
        under_way.is_some_and(|it| it.request.attempt == message.attempt)
    }

    /// A client makes a request.
    pub fn ask(&mut self, request: &Message) {
        if self.is_used {
            let asked = UnderWay {
                request: *request,
                web: None,
                has_begun: false,
            };
            self.under_way.insert(request.row, asked);
        }
    }

    /// A proxy hands a request on to `web`; to none where all nodes behind it are down.
    pub fn hand_on(&mut self, request: &Message, web: Option<usize>) {
        if let Some(under_way) = self.under_way.get_mut(&request.row) {
            under_way.web = web;
        }
    }

    /// Whether a request that was made then is still waited for.
    pub fn is_under_way(&self, row: u32, since: Time) -> bool {
        let under_way = self.under_way.get(&row);
        under_way.is_some_and(|it| it.request.since == since)
    }

    /// The client of a request that was made then gives it up, and closes its connection. The request, where it was still waited for.
    pub fn abandon(&mut self, row: u32, since: Time) -> Option<Message> {
        if !self.is_under_way(row, since) {
            return None;
        }
        let UnderWay { request, web, .. } = self.under_way.remove(&row)?;
        // Links are to let go what they hold back of it.
        self.changes += 1;
        let proxy = usize::from(request.entry);
        self.closed.extend(web.map(|web| (proxy, web)));
        Some(request)
    }

    /// The nodes that a proxy had asked for requests that clients have given up since it asked last.
    pub fn closed_behind(&mut self, proxy: usize) -> Vec<usize> {
        if self.closed.is_empty() {
            return Vec::new();
        }
        let closed = std::mem::take(&mut self.closed);
        let (own, others): (Vec<_>, Vec<_>) = closed.into_iter().partition(|it| it.0 == proxy);
        self.closed = others;
        own.into_iter().map(|(_, web)| web).collect()
    }

    /// A piece of an answer has come to its proxy.
    pub fn answer(&mut self, piece: &Message) {
        if let Some(under_way) = self.under_way.get_mut(&piece.row) {
            under_way.has_begun = true;
            if piece.is_last {
                under_way.web = None;
            }
        }
    }

    /// A request has ended, one way or the other.
    pub fn end(&mut self, row: u32) {
        self.under_way.remove(&row);
    }

    /// What happens to nodes and links; requests that fail: those of which `web` is `entry` are answers for clients, the others are
    /// for proxies.
    pub fn happen(&mut self, change: Change) -> Vec<Message> {
        self.changes += 1;
        match change {
            Change::Up { node, is_up } => {
                let link = self.down[node].link;
                let itself = !is_up;
                return self.reach(node, Down { itself, link });
            }
            Change::Linked { node, is_linked } => {
                let itself = self.down[node].itself;
                let link = !is_linked;
                return self.reach(node, Down { itself, link });
            }
            Change::Rate { link, bits_per_s } => self.rates[link] = Some(bits_per_s),
            Change::Cut { between, is_cut } => {
                let was_cut = self.cut.contains(&between);
                self.cut.retain(|it| *it != between);
                if is_cut {
                    self.cut.push(between);
                }
                if is_cut && !was_cut {
                    return self.fail(Broken::Link(between));
                }
            }
            Change::Speed { .. } => {}
        }
        Vec::new()
    }

    /// Whether a node can be reached has changed. The requests that fail.
    fn reach(&mut self, node: usize, down: Down) -> Vec<Message> {
        let before = std::mem::replace(&mut self.down[node], down);
        if before.is_any() || !down.is_any() {
            return Vec::new();
        }
        self.downs[node] += 1;
        self.fail(Broken::Node(node))
    }

    fn fail(&mut self, broken: Broken) -> Vec<Message> {
        let failed = self.under_way.values_mut();
        failed.filter_map(|it| it.failed(broken)).collect()
    }
}

/// What has failed now.
#[derive(Clone, Copy)]
enum Broken {
    Node(usize),
    /// The link between two nodes.
    Link([usize; 2]),
}

/// Whether the link between these nodes is the one from one node to another.
fn joins(between: [usize; 2], from: usize, to: usize) -> bool {
    between == [from, to] || between == [to, from]
}

impl Broken {
    /// Whether a node that is asked is gone by it, for the node that asks where it is one.
    fn takes(self, from: Option<usize>, node: usize) -> bool {
        match self {
            Self::Node(it) => it == node,
            Self::Link(between) => from.is_some_and(|from| joins(between, from, node)),
        }
    }
}

impl UnderWay {
    /// What becomes of it where something breaks; nothing where that has nothing to do with it.
    fn failed(&mut self, broken: Broken) -> Option<Message> {
        let (entry, home) = (usize::from(self.request.entry), self.request.home());
        let has_lost_entry = broken.takes(home, entry);
        let has_lost_home = home.is_some_and(|home| broken.takes(None, home));
        let lost_web = self.web.filter(|&web| broken.takes(Some(entry), web));
        if !has_lost_entry && !has_lost_home && lost_web.is_none() {
            return None;
        }
        self.request.attempt += 1;
        // A proxy that is there learns that its client has gone, and that the node behind it is done with the request.
        let is_proxy_left = !matches!(broken, Broken::Node(node) if node == entry);
        if has_lost_entry || has_lost_home {
            let behind = self.web.take();
            let behind = behind.filter(|&web| is_proxy_left && web != entry);
            self.request.web = behind.unwrap_or(entry) as u16;
            return Some(match behind {
                Some(_) => self.request.abandoned(),
                None => self.request.error(),
            });
        }
        self.request.web = lost_web.unwrap_or(entry) as u16;
        Some(match self.has_begun {
            true => self.request.error(),
            false => self.request,
        })
    }
}
