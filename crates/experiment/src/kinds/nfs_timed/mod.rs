//! Records of files on a file server, read and written over NFS by clients in user space, one call at a time each: measured behind links of
//! several rates, and simulated.
//!
//! What calls cost both ends is known from other jobs of the same point: of calls that do nothing, and of records of sizes that no cell has.
//! Nothing is fitted to what is compared. Clients in user space test the server and the way there, and not the client of a kernel.
//!
//! | deed | place |
//! | --- | --- |
//! | keys of the file; jobs that are compared | `section`; `cell` |
//! | nodes and what is exported | `centre`; stood up: `bench` |
//! | cells are measured in turn; what calls came to; what they cost | `measure`; `figures`; `costs` |
//! | what is kept; simulated; shown | `result`; `prediction`; `tables` |
//! | what results say of the costs of a file server | `server_costs` |

mod bench;
mod cell;
mod centre;
mod costs;
mod figures;
mod measure;
mod prediction;
mod result;
mod section;
mod server_costs;
mod tables;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_probe::size_name;
use hotset_scenario::{Scenario, ServerProfile};

use crate::header::Header;
use crate::kept::{Measurement, Results};
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, Study};
use crate::{Axis, ExperimentError, Point};
use bench::Bench;
use centre::Centre;
use result::{Detail, NfsPredictions, NfsResult, Settings};
use section::{LinkSpeed, Section};

/// An experiment on a server of NFS.
pub(crate) struct NfsTimed {
    section: Section,
    centre: Centre,
}

impl NfsTimed {
    fn link(&self, point: &Point) -> Result<&LinkSpeed, ExperimentError> {
        let wanted = point.on(Axis::Cell);
        let found = self.section.links.iter().find(|link| link.name == wanted);
        found.ok_or_else(|| ExperimentError::Unusable(format!("there is no link rate `{wanted}`")))
    }
}

impl Study for NfsTimed {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = NfsPredictions;
    type Bench = Bench;
    type Section = Section;

    const KIND: Kind = Kind::NfsTimed;
    const AXES: &'static [Axis] = &[Axis::Cell];
    const PHASES: &'static [&'static str] = &["calls"];

    fn check(section: &Section) -> Result<(), String> {
        let mut costs = section.costs.iter();
        if let Some(&bytes) = costs.find(|&bytes| section.records.contains(bytes)) {
            return Err(format!(
                "[nfs-timed] has records of {} both in `records` and in `costs`: what calls cost is measured on other jobs than those that \
                 are compared; change one",
                size_name(bytes)
            ));
        }
        let sizes = section.records.iter().chain(&section.costs);
        match sizes.max().filter(|&&most| most > section.file) {
            Some(&bytes) => Err(format!(
                "[nfs-timed] has records of {} in files of {}; make `file` larger",
                size_name(bytes),
                size_name(section.file)
            )),
            None => Ok(()),
        }
    }

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let centre = Centre::of(scenario, &section);
        Ok(Self {
            centre: centre.map_err(|problem| header.unusable(&problem))?,
            section,
        })
    }

    fn points(&self) -> Vec<Point> {
        let links = self.section.links.iter();
        links
            .map(|link| Point::default().with(Axis::Cell, &link.name))
            .collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let section = &self.section;
        Ok(Settings {
            client: section.client.name().to_owned(),
            link_bits_per_s: self.link(point)?.bits_per_s,
            export: self.centre.export_name().to_owned(),
            server_memory_bytes: self.centre.server_memory_bytes,
            file_bytes: section.file,
            record_bytes: section.records.clone(),
            clients: section.clients.clone(),
            cost_bytes: section.costs,
            seconds: section.seconds,
            rounds: section.rounds,
        })
    }

    fn needs(&self, _points: &[Point], _tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        Ok(self.centre.needs(&self.section))
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let link = self.link(session.only(points)?)?;
        Bench::create(&self.centre, (link.bits_per_s, self.section.file), session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        measure::measure(&self.section, bench, point, session)
    }

    fn predict(
        &self,
        kept: &[NfsResult],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<NfsPredictions>>>, ExperimentError> {
        Ok(kept.iter().map(|kept| Some(prediction::of(kept))).collect())
    }

    fn server_costs(&self, kept: &[NfsResult]) -> ServerProfile {
        server_costs::profile(kept)
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        tables::remarks(points)
    }
}
