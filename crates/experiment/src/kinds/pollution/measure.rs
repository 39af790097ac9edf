//! Measures a point: places the held files, warms the node up and asks it.

use hotset_outcome::Outcome;

use super::arms::{
    Arm, Choice, Goal, Means, NOTHING, PAGE_CACHE, Priority, Room, Situation, page_bytes_of,
};
use super::bench::Benches;
use super::cost_lines::MeasuredCosts;
use super::paced::Tally;
use super::phases::Phases;
use super::placing::Trial;
use super::result::{Detail, HeldFiles, Throughput};
use super::stage::Stage;
use super::subject::Subject;
use super::workload::CellWorkload;
use super::{daemon, paced, throughput};
use crate::ExperimentError;
use crate::kept::Measurement;
use crate::session::QuietWatch;

/// How often it is looked at whether the interval is narrow enough.
const LOOKS: u64 = 20;

/// What the segments so far came to.
#[derive(Default)]
struct Progress {
    /// Of the stage and the one beside it.
    tallies: Vec<Tally>,
    throughput: Option<(Throughput, Outcome)>,
    /// Memory for file data that the first stage found.
    usable_bytes: Option<u64>,
    quiet: Option<QuietWatch>,
    /// Files that hotset has left out, where it holds them.
    left_out: Option<Vec<u32>>,
    /// How many it holds at the end.
    at_end: Option<u64>,
    /// What the kernel guarantees the foreground's group at the end, where hotset has seen to that. Bytes.
    guaranteed_bytes: Option<u64>,
    /// Processor time of all that runs in the labs while it is watched whether the machine is quiet, microseconds.
    labs_us: u64,
}

/// A point that is measured.
pub(super) struct PointRun<'m> {
    pub benches: &'m Benches,
    pub subject: Subject<'m>,
    pub arm: &'static Arm,
    pub phases: Phases,
    pub priority: &'m Priority,
    pub workload: &'m CellWorkload,
    pub costs: &'m MeasuredCosts,
    /// What the arm chose when it was measured before.
    pub chosen: Option<Choice>,
}

impl PointRun<'_> {
    /// Measures, with `room` for file data where that is known.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, room: Option<Room>) -> Result<Measurement<Detail>, ExperimentError> {
        self.subject.session.step("placing files")?;
        let all_bytes = self.subject.settings.memory_bytes;
        let all = Room {
            shared_bytes: all_bytes,
            grouped_bytes: all_bytes,
        };
        let choose = || {
            self.arm.choose(&Situation {
                workload: self.workload,
                room: room.unwrap_or(all),
                costs: self.costs,
                priority: self.priority,
            })
        };
        let choice = self.chosen.clone().map_or_else(choose, Ok)?;
        let name = self.subject.point.to_string().replace(' ', "-");
        let server_bytes = all_bytes - room.unwrap_or(all).shared_bytes;
        let mut progress = Progress::default();
        for (number, segment) in self
            .workload
            .segments(self.workload.held_out().len())
            .enumerate()
        {
            let trial = Trial {
                workload: &segment,
                arm: self.arm,
                choice: &choice,
                server_bytes,
                is_logged: self.subject.settings.daemon_interval.is_some(),
                name: &format!("{name}-{number}"),
            };
            if self.ask(trial, &mut progress)? {
                break;
            }
        }
        let held = self.held(choice, &progress);
        self.measured(progress, room, held)
    }

    /// Sets the stages of a segment, warms them up and asks them. Says whether enough was measured.
    fn ask(&self, trial: Trial, progress: &mut Progress) -> Result<bool, ExperimentError> {
        let session = self.subject.session;
        let mut before_us = session.labs_cpu_us()?;
        // A server with mounts of its own has those of the other node too, which could then not be emptied.
        let beside = self.beside(trial)?;
        let mut stage = Stage::set(&self.benches.bench, trial)?;
        progress.left_out = stage.left_out();
        let warming = self.phases.warming(trial.workload);
        let stages: Vec<&Stage> = [&stage].into_iter().chain(&beside).collect();
        Stage::warm_up(&stages, warming, session)?;
        self.settle(&mut stage, trial)?;
        let stages: Vec<&Stage> = [&stage].into_iter().chain(&beside).collect();
        progress
            .usable_bytes
            .get_or_insert(stage.memory()?.usable_bytes());
        // Later segments are set up while it is watched already.
        if progress.quiet.is_none() {
            before_us = session.labs_cpu_us()?;
            progress.quiet = Some(QuietWatch::begin(0)?);
        }
        let is_enough = self.paced(&stages, progress)?;
        self.throughput(&stage, progress)?;
        // Before servers are taken down, with whom their times go.
        progress.labs_us += session.labs_cpu_us()?.saturating_sub(before_us);
        progress.at_end = stage.held()?;
        progress.guaranteed_bytes = stage.guaranteed_bytes()?;
        stage.take_down()?;
        beside.map_or(Ok(()), Stage::take_down)?;
        Ok(is_enough)
    }

    /// Has hotset follow the traffic where the arm wants that, and clients ask until it has chosen twice; under other arms as
    /// long. A paced phase asks what nobody has asked before, as is predicted: nothing but the training part comes before it.
    fn settle(&self, stage: &mut Stage<'_>, trial: Trial<'_>) -> Result<(), ExperimentError> {
        let Some(interval_seconds) = self.subject.settings.daemon_interval else {
            return Ok(());
        };
        let follows = self.arm.means == Means::Run;
        let requests = match (self.phases.paced, follows) {
            (true, false) => return Ok(()),
            (true, true) => trial.workload.training(),
            (false, _) => trial.workload.held_out(),
        };
        if follows {
            let weight = match self.arm.goal() {
                Some(Goal::Weight) => self.priority.weight,
                _ => 1.0,
            };
            stage.follow(trial, weight, interval_seconds)?;
        }
        self.subject.session.step("settling")?;
        let duration = daemon::settling(interval_seconds);
        throughput::ask(stage, &self.subject, requests, duration)
    }

    /// The page cache alone on the second node, where the arm is to be compared with it.
    fn beside<'s>(&'s self, trial: Trial<'s>) -> Result<Option<Stage<'s>>, ExperimentError> {
        let bench = self.benches.beside.as_ref();
        let Some(bench) = bench.filter(|_| self.phases.beside(self.arm)) else {
            return Ok(None);
        };
        let alone = Trial {
            arm: PAGE_CACHE,
            choice: &NOTHING,
            ..trial
        };
        Ok(Some(Stage::set(bench, alone)?))
    }

    /// One client, the stages in turn. Says whether enough was measured.
    fn paced(&self, stages: &[&Stage], progress: &mut Progress) -> Result<bool, ExperimentError> {
        if !self.phases.paced {
            return Ok(true);
        }
        self.subject.session.step("one client")?;
        progress.tallies.resize_with(stages.len(), Tally::default);
        let between_looks = self.workload.held_out().len() as u64 / LOOKS;
        paced::measure(stages, &mut progress.tallies, between_looks, &self.subject)
    }

    /// Several clients of the first stage.
    fn throughput(&self, stage: &Stage, progress: &mut Progress) -> Result<(), ExperimentError> {
        let Some(end) = self.phases.throughput else {
            return Ok(());
        };
        let clients = self.subject.settings.clients;
        self.subject
            .session
            .step(&format!("{clients} clients a site"))?;
        progress.throughput = Some(throughput::measure(stage, &self.subject, end)?);
        Ok(())
    }

    /// What all segments came to.
    fn measured(
        &self,
        progress: Progress,
        room: Option<Room>,
        held: HeldFiles,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let message = || format!("{}: nothing was measured", self.subject.point);
        let nothing = || ExperimentError::Unusable(message());
        let quiet = progress.quiet.ok_or_else(nothing)?;
        let usable_bytes = match room {
            Some(room) => room.shared_bytes,
            None => progress.usable_bytes.ok_or_else(nothing)?,
        };
        let tallies = progress.tallies.into_iter();
        let mut finished = tallies.filter_map(|tally| tally.finish(&self.subject));
        let (paced, outcome) = finished.next().unzip();
        let (_, base) = finished.next().unzip();
        let (throughput, closed) = progress.throughput.unzip();
        Ok(Measurement {
            detail: Detail {
                held,
                usable_bytes,
                paced,
                throughput,
            },
            quietness: Some(quiet.end(progress.labs_us)?),
            base,
            outcomes: outcome.into_iter().chain(closed).collect(),
        })
    }

    fn held(&self, mut choice: Choice, progress: &Progress) -> HeldFiles {
        if let Some(left_out) = &progress.left_out {
            choice.held.retain(|object| !left_out.contains(object));
        }
        let size = |object: &u32| self.workload.size(*object);
        HeldFiles {
            means: self.arm.means,
            files: choice.held.len() as u64,
            bytes: choice.held.iter().map(size).sum(),
            page_bytes: page_bytes_of(self.workload, &choice.held),
            group_bytes: choice.group_bytes,
            left_out: progress.left_out.as_ref().map(|left| left.len() as u64),
            at_end: progress.at_end,
            guaranteed_bytes: progress.guaranteed_bytes,
            objects: choice.held,
        }
    }
}
