//! A figure 10: hits of one site and of two like sites.

use std::collections::BTreeMap;

use super::centres_of_a::{self, SIMULATED};
use super::two_sites;
use crate::reproduce::asked::Popular;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::{Centre, CentreFigures};
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Hits alone over hits beside another site.
pub(super) struct Figure10;

const EXPERIMENT: KnownExperiment = known_experiment!("two-sites/experiment.toml");

/// Classes that are drawn.
const CLASSES: usize = 5;
/// From this class on the text gives the drop: "by nearly a factor of ten".
const FROM: usize = 3;
const DROP: f64 = 10.0;
/// As the claims of the experiment have it: "nearly", and "no difference".
const NEARLY: f64 = 0.8;
const SAME: f64 = 0.02;

impl DocumentStudy for Figure10 {
    fn name(&self) -> &'static str {
        "tr65-figure10"
    }

    fn title(&self) -> &'static str {
        "Hits of one site alone, over hits of two like sites on the same servers"
    }

    fn section(&self) -> &'static str {
        "A figure 10"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            SIMULATED,
            "Clients ask for both sites in turn, and each site has as many requests as one alone. So what waits long for the disk counts as what is answered at once",
            "Measured on half the memory with files of half the size",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let claims = sources.measured_claims(EXPERIMENT.file).unwrap_or_default();
        let measured = |class: &str| {
            let of_drop = format!("{class}: hits drop");
            claims
                .iter()
                .find(|it| it.says.starts_with(&of_drop))?
                .measured
        };
        let simulated = Hits::of(sources);
        let cell = |class: usize| {
            let published = (class >= FROM).then_some(DROP);
            let name = format!("class {class}");
            ReproducedCell::new(&name, "hits alone over hits of two", published)
                .simulated(simulated.drop(class))
                .measured(measured(&name))
        };
        let all = (0..CLASSES).map(cell);
        all.filter(|cell| cell.published.or(cell.ours()).is_some())
            .collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let claims = sources.claims(EXPERIMENT).into_iter();
        claims
            .map(|claim| {
                let simulated = judged(&claim, cells);
                claim.and_simulated(simulated)
            })
            .collect()
    }
}

/// What is simulated of a claim, which begins with its class.
fn judged(claim: &DocumentClaim, cells: &[ReproducedCell]) -> Option<(bool, String)> {
    let mut cells = cells.iter();
    let cell = cells.find(|cell| claim.text.starts_with(&cell.row))?;
    let drop = cell.simulated?;
    let says = |what: &str| claim.text.contains(what);
    let holds = if says("no difference") {
        (drop - 1.0).abs() <= SAME
    } else if says("misses increase") {
        drop > 1.0
    } else {
        drop >= NEARLY * DROP
    };
    let words = format!("Simulated: one site alone has {drop:.2} times as many hits.");
    Some((holds, words))
}

/// Hits of one site alone, and of two like sites, on ext3.
struct Hits {
    figures: BTreeMap<String, CentreFigures>,
}

impl Hits {
    fn of(sources: &Sources) -> Self {
        let centres = (0..CLASSES).flat_map(|class| [alone(class), beside(class)]);
        let centres: Vec<Centre> = centres.collect();
        Self {
            figures: sources.centres(&centres),
        }
    }

    fn drop(&self, class: usize) -> Option<f64> {
        let hits = |centre: &Centre| {
            let figures = self.figures.get(&centre.name)?;
            figures.sites.get("first-0")?.hit_ratio
        };
        Some(hits(&alone(class))? / hits(&beside(class))?).filter(|it: &f64| it.is_finite())
    }
}

fn alone(class: usize) -> Centre {
    centres_of_a::with_site(Popular::Class(class), "ext3")
}

fn beside(class: usize) -> Centre {
    two_sites::alike(Popular::Class(class))
}
