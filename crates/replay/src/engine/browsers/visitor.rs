//! One visitor: what is asked for next, and when.

use std::mem;

use hotset_workload::sessions::{Step, Walk, filled};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::form::PageRequest;
use super::setting::Setting;
use crate::SessionCounts;
use crate::engine::clock::ns;
use crate::links::{Entry, Target, TargetKind, targets};

/// A visitor, who begins a session as soon as the last has ended.
pub struct Visitor {
    random: Pcg64Mcg,
    walk: Walk,
    /// The request for the page that the visitor is on, or waits for.
    pub request: PageRequest,
    /// Those of the pages that can be gone back to, the last one last: as many as the walk has.
    behind: Vec<PageRequest>,
    /// When the session's time is over.
    over_ns: u64,
}

impl Visitor {
    /// Visitor `number`, before the first session.
    pub fn new(setting: &Setting<'_>, number: usize) -> Self {
        let seed = setting.options.seed.wrapping_mul(1 << 32);
        Self {
            random: Pcg64Mcg::seed_from_u64(seed.wrapping_add(number as u64)),
            walk: Walk::start(),
            request: PageRequest::get(0, &setting.mix.pages[0].path, &[]),
            behind: Vec::new(),
            over_ns: 0,
        }
    }

    /// Begins a session at `now_ns`.
    pub fn begin(&mut self, setting: &Setting<'_>, now_ns: u64, counts: &mut SessionCounts) {
        counts.begun += 1;
        self.walk = Walk::start();
        self.behind.clear();
        let time = setting.mix.session.time;
        let time = time.map(|time| ns(time.draw(&mut self.random)));
        self.over_ns = now_ns.saturating_add(time.unwrap_or(u64::MAX));
        self.request = self.made_up(setting, 0, counts);
    }

    /// A page without an answer ends the session.
    pub fn give_up(&mut self, setting: &Setting<'_>, now_ns: u64, counts: &mut SessionCounts) {
        counts.broken += 1;
        self.begin(setting, now_ns, counts);
    }

    /// Reads the page that was received at `now_ns`, and decides what is asked for next.
    pub fn go_on(
        &mut self,
        setting: &Setting<'_>,
        html: &[u8],
        now_ns: u64,
        counts: &mut SessionCounts,
    ) {
        let step = self.walk.step(setting.mix, &mut self.random);
        match step {
            Step::To(page) if !self.leaves_for(setting, page, now_ns) => {
                let next = self.next(setting, page, html, counts);
                let here = mem::replace(&mut self.request, next);
                match self.walk.depth() {
                    0 => self.behind.clear(),
                    _ => self.behind.push(here),
                }
            }
            Step::Back(page) if !self.leaves_for(setting, page, now_ns) => {
                counts.back += 1;
                if let Some(request) = self.behind.pop() {
                    self.request = request;
                }
            }
            _ => {
                counts.ended += 1;
                self.begin(setting, now_ns, counts);
            }
        }
    }

    /// How long the visitor thinks, nanoseconds.
    pub fn think_ns(&mut self, setting: &Setting<'_>) -> u64 {
        ns(setting.mix.think.draw(&mut self.random))
    }

    /// Whether the session's time is over and it may end before this page.
    fn leaves_for(&self, setting: &Setting<'_>, page: usize, now_ns: u64) -> bool {
        let ends_here = setting.mix.session.ends_at.is_none_or(|at| at == page);
        ends_here && now_ns >= self.over_ns
    }

    /// Follows a link or form of the page received that leads to a page of this type, any of them as likely.
    fn next(
        &mut self,
        setting: &Setting<'_>,
        page: usize,
        html: &[u8],
        counts: &mut SessionCounts,
    ) -> PageRequest {
        let here = &setting.mix.pages[self.request.page].path;
        let path = &setting.mix.pages[page].path;
        let html = String::from_utf8_lossy(html);
        let mut found = targets(&html, here, setting.prefix());
        found.retain(|target| target.path == *path);
        if found.is_empty() {
            counts.without_link += 1;
            return self.made_up(setting, page, counts);
        }
        let target = found.swap_remove(self.random.random_range(0..found.len()));
        self.followed(setting, page, target, counts)
    }

    fn followed(
        &mut self,
        setting: &Setting<'_>,
        page: usize,
        target: Target,
        counts: &mut SessionCounts,
    ) -> PageRequest {
        let made_up = filled(&setting.mix.pages[page].fields, &mut self.random);
        let mut fields = Vec::with_capacity(target.fields.len());
        for (name, entry) in target.fields {
            let value = match entry {
                Entry::Value(value) => {
                    counts.carried += 1;
                    value
                }
                Entry::Choice(mut values) => {
                    counts.filled += 1;
                    values.swap_remove(self.random.random_range(0..values.len()))
                }
                Entry::Blank => {
                    let known = made_up.iter().find(|(of, _)| *of == name);
                    counts.filled += u64::from(known.is_some());
                    known.map(|(_, value)| value.clone()).unwrap_or_default()
                }
            };
            fields.push((name, value));
        }
        match target.kind {
            TargetKind::Link => counts.links += 1,
            TargetKind::FormByGet | TargetKind::FormByPost => counts.forms += 1,
        }
        if target.kind == TargetKind::FormByPost {
            counts.posts += 1;
            return PageRequest::post(page, &target.path, &fields);
        }
        PageRequest::get(page, &target.path, &fields)
    }

    /// A request for a page that nothing leads to.
    fn made_up(
        &mut self,
        setting: &Setting<'_>,
        page: usize,
        counts: &mut SessionCounts,
    ) -> PageRequest {
        let of = &setting.mix.pages[page];
        let fields = filled(&of.fields, &mut self.random);
        counts.filled += fields.len() as u64;
        PageRequest::get(page, &of.path, &fields)
    }
}
