//! Measures a point: places the held files, warms the node up and asks it.

use hotset_outcome::Outcome;

use super::arms::{Arm, PAGE_CACHE, Situation, page_bytes_of};
use super::bench::Benches;
use super::cost_lines::MeasuredCosts;
use super::result::{Detail, HeldFiles, Throughput};
use super::stage::{Scene, Stage};
use super::subject::Subject;
use super::workload::CellWorkload;
use super::{paced, throughput};
use crate::ExperimentError;
use crate::session::Quiet;
use crate::study::Measured;

/// The measuring of one point.
pub(super) struct Measurement<'m> {
    pub benches: &'m Benches,
    pub subject: Subject<'m>,
    pub arm: &'static Arm,
    pub workload: &'m CellWorkload,
    pub costs: &'m MeasuredCosts,
}

impl Measurement<'_> {
    /// Measures, with `usable_bytes` of memory for file data where that is known.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn measure(&self, usable_bytes: Option<u64>) -> Result<Measured<Detail>, ExperimentError> {
        self.subject.session.step("placing files")?;
        let memory_bytes = usable_bytes.unwrap_or(self.subject.settings.memory_bytes);
        let held = (self.arm.held)(&Situation {
            workload: self.workload,
            memory_bytes,
            costs: self.costs,
        })?;
        let name = self.subject.point.to_string().replace(' ', "-");
        let scene = Scene {
            workload: self.workload,
            classes: self.subject.settings.workload.classes,
            arm: self.arm,
            held: &held,
            server_bytes: self.subject.settings.memory_bytes - memory_bytes,
            name: &name,
        };
        let stage = Stage::set(&self.benches.bench, scene)?;
        stage.warm_up(self.subject.session)?;
        let beside = self.beside(scene)?;
        let usable_bytes = usable_bytes.unwrap_or(stage.memory()?.usable_bytes());
        let stages: Vec<&Stage> = [&stage].into_iter().chain(&beside).collect();
        let measured = self.ask(&stages, usable_bytes, self.held(&held))?;
        stage.take_down()?;
        beside.map_or(Ok(()), Stage::take_down)?;
        Ok(measured)
    }

    /// The page cache alone on the second node, warm, where the arm is to be compared with it.
    fn beside<'s>(&'s self, scene: Scene<'s>) -> Result<Option<Stage<'s>>, ExperimentError> {
        let bench = self.benches.beside.as_ref();
        let Some(bench) = bench.filter(|_| self.arm.is_compared()) else {
            return Ok(None);
        };
        let alone = Scene {
            arm: &PAGE_CACHE,
            held: &[],
            ..scene
        };
        let stage = Stage::set(bench, alone)?;
        stage.warm_up(self.subject.session)?;
        Ok(Some(stage))
    }

    /// Asks the stages in turn, one client; then the first one, several clients.
    fn ask(
        &self,
        stages: &[&Stage],
        usable_bytes: u64,
        held: HeldFiles,
    ) -> Result<Measured<Detail>, ExperimentError> {
        let quiet = Quiet::begin(server_cpu_us(stages)?)?;
        self.subject.session.step("one client")?;
        let mut asked = paced::measure(stages, &self.subject)?.into_iter();
        let (Some((paced, outcome)), base) = (asked.next(), asked.next()) else {
            let message = format!("{}: nothing was measured", self.subject.point);
            return Err(ExperimentError::Unusable(message));
        };
        let mut outcomes = vec![outcome];
        let throughput = self.throughput(stages, &mut outcomes)?;
        Ok(Measured {
            detail: Detail {
                held,
                usable_bytes,
                paced,
                throughput,
            },
            quietness: quiet.end(server_cpu_us(stages)?)?,
            base: base.map(|(_paced, outcome)| outcome),
            outcomes,
        })
    }

    fn throughput(
        &self,
        stages: &[&Stage],
        outcomes: &mut Vec<Outcome>,
    ) -> Result<Option<Throughput>, ExperimentError> {
        let (clients, seconds) = (
            self.subject.settings.clients,
            self.subject.settings.throughput_seconds,
        );
        let Some(stage) = stages.first().filter(|_| seconds > 0) else {
            return Ok(None);
        };
        self.subject
            .session
            .step(&format!("{clients} clients a site"))?;
        let (throughput, outcome) = throughput::measure(stage, &self.subject)?;
        outcomes.push(outcome);
        Ok(Some(throughput))
    }

    fn held(&self, objects: &[u32]) -> HeldFiles {
        let size = |object: &u32| self.workload.size(*object);
        HeldFiles {
            means: self.arm.means,
            files: objects.len() as u64,
            bytes: objects.iter().map(size).sum(),
            page_bytes: page_bytes_of(self.workload, objects),
            objects: objects.to_vec(),
        }
    }
}

fn server_cpu_us(stages: &[&Stage]) -> Result<u64, ExperimentError> {
    let used = stages.iter().map(|stage| stage.server_cpu_us());
    used.sum::<Result<u64, _>>()
}
