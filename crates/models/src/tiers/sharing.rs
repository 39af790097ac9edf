//! Processors that processes share, as the kernel's scheduler divides them: each job has as much as any other, and none has more than
//! one processor (egalitarian processor sharing: L. Kleinrock, "Time-shared Systems: A theoretical treatment", Journal of the ACM 14,
//! 1967). Where they have a quota, they run until that is used up, and stand still until the period ends.
//!
//! All jobs advance alike, so their order of ending is that of virtual times: what a job would have had that was there from the
//! beginning. A job ends when the virtual time is its work beyond that of its beginning, and nothing of the others changes that.

use std::collections::VecDeque;

use super::budget::Budget;
use super::finish_tags::FinishTags;
use super::system::Processors;

/// Virtual times this close are one, nanoseconds: the clock has whole ones.
const CLOSE_NS: f64 = 1e-3;

/// Processors that processes share, and who has them. Jobs are a `T` each.
pub(crate) struct Sharing<T> {
    processors: Processors,
    /// What is left of their quota, where they have one.
    budget: Option<Budget>,
    /// Jobs that processes work on.
    jobs: FinishTags<T>,
    /// Jobs for which there is no process, with their work.
    waiting: VecDeque<(f64, T)>,
    /// Work that each job has had since somebody came first, nanoseconds of a measured processor.
    virtual_ns: f64,
    /// When that was.
    now_ns: u64,
    /// When [`Sharing::end`] is called next that matters.
    pending_ns: Option<u64>,
    /// Time in which processors were busy, as a share of all of them, and time that jobs were there, all together, nanoseconds.
    busy_ns: f64,
    present_ns: f64,
}

impl<T> Sharing<T> {
    /// With nothing to do.
    pub fn new(processors: Processors) -> Self {
        Self {
            processors,
            budget: processors.quota.map(Budget::new),
            jobs: FinishTags::new(),
            waiting: VecDeque::new(),
            virtual_ns: 0.0,
            now_ns: 0,
            pending_ns: None,
            busy_ns: 0.0,
            present_ns: 0.0,
        }
    }

    /// A job comes that takes a measured processor so long. In how many nanoseconds [`Sharing::end`] is to be called, where that is
    /// sooner than is known.
    pub fn add(&mut self, now_ns: u64, work_ns: u64, job: T) -> Option<u64> {
        self.advance(now_ns);
        self.waiting.push_back((work_ns as f64, job));
        self.begin();
        let next_ns = self.next_ns()?;
        // What ends later than was thought is looked at too early, and looked at again.
        let is_sooner = self
            .pending_ns
            .is_none_or(|pending_ns| next_ns < pending_ns);
        is_sooner.then(|| {
            self.pending_ns = Some(next_ns);
            next_ns - now_ns
        })
    }

    /// The time has come that this or [`Sharing::add`] told; jobs that have ended, and in how many nanoseconds it is to be called again.
    pub fn end(&mut self, now_ns: u64) -> (Vec<T>, Option<u64>) {
        let mut ended = Vec::new();
        if self.pending_ns != Some(now_ns) {
            return (ended, None);
        }
        self.advance(now_ns);
        while let Some(end_ns) = self.jobs.first_end()
            && end_ns <= self.virtual_ns + CLOSE_NS
        {
            ended.extend(self.jobs.pop());
            self.begin();
        }
        if self.jobs.is_empty() {
            self.virtual_ns = 0.0;
        }
        self.pending_ns = self.next_ns();
        (ended, self.pending_ns.map(|next_ns| next_ns - now_ns))
    }

    /// Processes that are free begin with those who wait.
    fn begin(&mut self) {
        while self.jobs.len() < self.processors.processes as usize
            && let Some((work_ns, of)) = self.waiting.pop_front()
        {
            self.jobs.push(self.virtual_ns + work_ns, of);
        }
    }

    /// Processors that are busy, unless they stand still.
    fn busy(&self) -> f64 {
        self.processors.at_once().min(self.jobs.len() as f64)
    }

    /// What each job has of a measured processor, unless they stand still.
    fn rate(&self) -> f64 {
        self.processors.speed * self.busy() / self.jobs.len() as f64
    }

    fn advance(&mut self, now_ns: u64) {
        let (from_ns, busy) = (self.now_ns, self.busy());
        let passed_ns = (now_ns - from_ns) as f64;
        self.now_ns = now_ns;
        if self.jobs.is_empty() {
            // What follows at once on the last job is another of the same process, which goes on.
            if let Some(budget) = self.budget.as_mut().filter(|_| passed_ns > 0.0) {
                budget.rest(self.processors.at_once());
            }
            return;
        }
        let ran_ns = match &mut self.budget {
            None => passed_ns,
            Some(budget) => budget.run(from_ns, now_ns, busy),
        };
        self.virtual_ns += ran_ns * self.rate();
        self.busy_ns += ran_ns * busy / self.processors.count;
        self.present_ns += passed_ns * (self.jobs.len() + self.waiting.len()) as f64;
    }

    /// When the first job ends if none comes before.
    fn next_ns(&self) -> Option<u64> {
        let end_ns = self.jobs.first_end()?;
        let left_ns = (end_ns - self.virtual_ns).max(0.0) / self.rate();
        Some(match self.budget {
            None => self.now_ns + left_ns.ceil() as u64,
            Some(budget) => budget.end_ns(self.now_ns, left_ns, self.busy()),
        })
    }

    /// The share of the processors that was busy since counting began anew, and the mean number of jobs there, served or waiting.
    pub fn use_since(&self, length_ns: u64) -> (f64, f64) {
        let length_ns = length_ns.max(1) as f64;
        // What a quota has left over from before is used besides that of the time.
        let busy = (self.busy_ns / length_ns).min(1.0);
        (busy, self.present_ns / length_ns)
    }

    /// How long processors were busy since counting began anew, as a share of all of them. Nothing goes on by that.
    pub fn busy_ns(&self, now_ns: u64) -> f64 {
        let busy = self.busy();
        let ran_ns = match self.budget {
            Some(mut budget) if busy > 0.0 => budget.run(self.now_ns, now_ns, busy),
            _ => (now_ns - self.now_ns) as f64,
        };
        self.busy_ns + ran_ns * busy / self.processors.count
    }

    /// Counting goes as far as this.
    pub fn count_until(&mut self, now_ns: u64) {
        self.advance(now_ns);
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self, now_ns: u64) {
        self.advance(now_ns);
        (self.busy_ns, self.present_ns) = (0.0, 0.0);
    }
}
