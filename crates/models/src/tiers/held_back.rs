//! What senders hold back until a link has room for it, and how flows share that room: each has as much of the link as any other
//! (egalitarian processor sharing: L. Kleinrock, "Time-shared Systems: A theoretical treatment", Journal of the ACM 14, 1967; of packets:
//! A. Demers, S. Keshav and S. Shenker, "Analysis and simulation of a fair queueing algorithm", SIGCOMM 1989).
//!
//! The messages of a flow follow each other. So the order of ending is that of virtual times, which are bytes that each flow has had since
//! somebody came first. A message ends when that has come to its own bytes beyond those before it. Nothing of other flows changes that.

use std::collections::HashMap;

use super::finish_tags::FinishTags;

/// Virtual times this close are one, bytes: the clock has whole nanoseconds.
const CLOSE_BYTES: f64 = 1e-2;

/// Messages that wait for room, a `T` each.
pub(crate) struct HeldBack<T> {
    /// With their flows.
    messages: FinishTags<(u64, T)>,
    /// By flow, where it has messages.
    flows: HashMap<u64, Flow>,
    /// Bytes that each flow has had since somebody came first.
    virtual_bytes: f64,
    bytes_per_ns: f64,
    /// When that was.
    now_ns: u64,
    /// When [`HeldBack::end`] is called next that matters, and after how long it is called at the latest.
    pending_ns: Option<u64>,
    most_ns: u64,
}

/// Messages of a flow.
#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    count: u32,
    /// Virtual time at which the last one ends.
    end_bytes: f64,
}

impl<T> HeldBack<T> {
    /// With nothing. The link may change every so many nanoseconds, and is looked at as often.
    pub fn new(most_ns: u64) -> Self {
        Self {
            messages: FinishTags::new(),
            flows: HashMap::new(),
            virtual_bytes: 0.0,
            bytes_per_ns: 1.0,
            now_ns: 0,
            pending_ns: None,
            most_ns,
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Messages of a flow.
    pub fn count(&self, flow: u64) -> u32 {
        self.flows.get(&flow).map_or(0, |it| it.count)
    }

    /// The link has this rate from now on.
    pub fn set_rate(&mut self, now_ns: u64, bytes_per_ns: f64) {
        self.advance(now_ns);
        self.bytes_per_ns = bytes_per_ns;
    }

    /// So many bytes of a flow come, behind those before them. In how many nanoseconds [`HeldBack::end`] is to be called, where that is
    /// sooner than is known.
    pub fn add(&mut self, now_ns: u64, (flow, bytes): (u64, f64), of: T) -> Option<u64> {
        self.advance(now_ns);
        let own = self.flows.entry(flow).or_default();
        own.count += 1;
        own.end_bytes = own.end_bytes.max(self.virtual_bytes) + bytes;
        let end_bytes = own.end_bytes;
        self.messages.push(end_bytes, (flow, of));
        self.tell()
    }

    /// The time has come that this or [`HeldBack::add`] told; a message that has ended, and in how many nanoseconds it is to be called
    /// again.
    pub fn end(&mut self, now_ns: u64) -> (Option<T>, Option<u64>) {
        if self.pending_ns != Some(now_ns) {
            return (None, None);
        }
        self.advance(now_ns);
        let ended = self.pop();
        self.pending_ns = None;
        (ended, self.tell())
    }

    /// These messages wait for nothing any more, and end as soon as it is looked.
    pub fn let_go(&mut self, now_ns: u64, are_meant: impl Fn(&T) -> bool) {
        self.advance(now_ns);
        let (flows, end_bytes) = (&mut self.flows, self.virtual_bytes);
        self.messages.end_at(end_bytes, |(flow, of)| {
            let is_meant = are_meant(of);
            if let Some(own) = flows.get_mut(flow).filter(|_| is_meant) {
                own.end_bytes = end_bytes;
            }
            is_meant
        });
    }

    fn advance(&mut self, now_ns: u64) {
        let passed_ns = now_ns.saturating_sub(self.now_ns) as f64;
        self.now_ns = now_ns;
        if !self.flows.is_empty() {
            self.virtual_bytes += passed_ns * self.bytes_per_ns / self.flows.len() as f64;
        }
    }

    fn pop(&mut self) -> Option<T> {
        if self.left_bytes()? > 0.0 {
            return None;
        }
        let (flow, first) = self.messages.pop()?;
        if let Some(own) = self.flows.get_mut(&flow) {
            own.count -= 1;
            if own.count == 0 {
                self.flows.remove(&flow);
            }
        }
        if self.messages.is_empty() {
            self.virtual_bytes = 0.0;
        }
        Some(first)
    }

    /// What is left of the first message.
    fn left_bytes(&self) -> Option<f64> {
        let end_bytes = self.messages.first_end()?;
        Some((end_bytes - self.virtual_bytes - CLOSE_BYTES).max(0.0))
    }

    /// What ends later than was thought is looked at too early, and looked at again.
    fn tell(&mut self) -> Option<u64> {
        let next_ns = self.next_ns()?;
        let is_sooner = self
            .pending_ns
            .is_none_or(|pending_ns| next_ns < pending_ns);
        is_sooner.then(|| {
            self.pending_ns = Some(next_ns);
            next_ns - self.now_ns
        })
    }

    /// When the first message ends if none comes before, or when it is looked at.
    fn next_ns(&self) -> Option<u64> {
        let left_ns = self.left_bytes()? * self.flows.len() as f64 / self.bytes_per_ns;
        let left_ns = (left_ns.ceil() as u64).min(self.most_ns);
        Some(self.now_ns.saturating_add(left_ns))
    }
}
