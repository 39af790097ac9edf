//! `hotset sweep`: what a scenario gets at the points of a grid.
//!
//! | what | place |
//! | --- | --- |
//! | what a point came to | `point.rs` |
//! | the table of points | `table.rs` |
//! | a plot for each varied key | `plots.rs` |

mod plots;
mod point;
mod table;

use hotset_scenario::FigureUnit;
use serde::Serialize;

use crate::{Document, Json, Page, Sheets, Tone, View, number, printable};

pub use point::{ChosenPoint, PointFigures, SiteFigures, SweepPoint};

/// Points that a terminal and a page show.
const IN_TERMINAL: usize = 25;
const ON_PAGE: usize = 1000;

/// What a scenario gets at the points of a grid. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SweepView {
    /// The scenario file.
    pub scenario: String,
    /// Seed of every random choice, the same at all points.
    pub seed: u64,
    /// Points of the grid.
    pub points: u64,
    /// Points that are in the table.
    pub done: u64,
    /// The keys that are varied, in the order in which they were named; the last one changes fastest.
    pub varied: Vec<VariedKey>,
    /// The varied key of which the best point has the least, by its way.
    pub minimised: String,
    /// What responses of sites are to come to, such as shop: p99 < 20 ms.
    pub targets: Vec<String>,
    /// Points that meet all targets; all where there are none.
    pub meeting: u64,
    /// The Parquet file that has a row for each site at each point; null where none was asked for.
    pub table: Option<String>,
    /// Of the points that meet all targets, the one with the least of the minimised key, and of several those the one with the least
    /// mean response. Without targets the point with the least mean response. Null where no point meets the targets.
    pub best: Option<ChosenPoint>,
    /// Where the mean response bends along the minimised key, with the other keys as at the best point. Up to there each further step
    /// lowers it by more than on average, beyond it by less. Null where it does not bend so.
    pub knee: Option<ChosenPoint>,
    /// For each of several sites the point with its least mean response.
    pub best_of_sites: Vec<ChosenPoint>,
    /// Points at which requests come faster than they are served.
    pub unstable: u64,
    /// Keys of the scenario that the simulation does not follow at some point, by their ways.
    pub not_modelled: Vec<String>,
    /// All points, in the order of their numbers.
    #[serde(skip)]
    pub all: Vec<SweepPoint>,
}

/// A key that is varied.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VariedKey {
    /// Its way.
    pub path: String,
    /// What its column of the table is in: plain numbers, bytes, bits_per_s, us (microseconds) or percent. Null where it has words.
    pub unit: Option<FigureUnit>,
    /// Its values, as a scenario file has them.
    pub values: Vec<String>,
    /// The same in its unit; empty where it has words.
    #[serde(skip)]
    pub figures: Vec<f64>,
}

impl View for SweepView {
    /// The best point, where the curve bends, and what each point gets.
    fn document(&self) -> Document<'_> {
        let tone = match self.best {
            Some(_) => Tone::Strong,
            None => Tone::Warning,
        };
        let mut to = Document::new(self.headline(), tone)
            .titled("hotset: a scenario at many points")
            .with_sections([
                ("curves", "What each key does"),
                ("points", "What each point gets"),
            ]);
        to.sentence(self.knee_in_words());
        for best in &self.best_of_sites {
            to.sentence(of_site(best));
        }
        to.warning(self.unstable_in_words());
        to.warning(self.without_effect());
        to.section("curves").plots(move || plots::plots(self));
        let to_table = to.section("points");
        let rows: usize = self.all.iter().map(|it| it.figures.sites.len()).sum();
        let table = to_table.table(move |most| table::table(self, most));
        table
            .heading("Points")
            .caption("A row for each site at each point; the mean response and its percentiles.")
            .first(IN_TERMINAL, ON_PAGE)
            .rest(
                ["the table has all of them", "the table has all of them"],
                move |most| rows.saturating_sub(most) as u64,
            );
        to.paragraph(self.not_modelled_in_words());
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl Page for SweepView {}
impl Sheets for SweepView {}

impl SweepView {
    fn headline(&self) -> String {
        let at = number::counted(self.points, "point", "points");
        let of = format!("{} at {at}", printable(&self.scenario));
        let targets = self.targets.join(" and ");
        let Some(best) = &self.best else {
            return format!("{of}: none meets {}", printable(&targets));
        };
        let (set, mean) = (best.in_words(), best.mean_in_words());
        match targets.is_empty() {
            true => format!("{of}: the least mean response, {mean}, is at {set}"),
            false => format!(
                "{of}: {set} is the least that meets {}, with a mean response of {mean}",
                printable(&targets)
            ),
        }
    }

    fn knee_in_words(&self) -> Option<String> {
        let knee = self.knee.as_ref()?;
        Some(format!(
            "The knee is at {}, with a mean response of {}. Up to there a further step saves more than on average, beyond it less.",
            knee.in_words(),
            knee.mean_in_words()
        ))
    }

    fn unstable_in_words(&self) -> Option<String> {
        let points = number::counted(self.unstable, "point", "points");
        (self.unstable > 0).then(|| {
            format!("At {points} requests come faster than they are served, so responses grow without end.")
        })
    }

    /// Says that a varied key is not followed.
    fn without_effect(&self) -> Option<String> {
        let begins = |path: &str, way: &str| {
            let rest = path.strip_prefix(way);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let varied = self.varied.iter().map(|it| it.path.as_str());
        let idle = varied.filter(|path| self.not_modelled.iter().any(|way| begins(path, way)));
        let idle: Vec<_> = idle.map(printable).collect();
        (!idle.is_empty()).then(|| {
            format!(
                "The simulation does not follow {}: points that differ in that alone are alike.",
                idle.join(" and ")
            )
        })
    }

    fn not_modelled_in_words(&self) -> Option<String> {
        let keys: Vec<_> = self.not_modelled.iter().map(|it| printable(it)).collect();
        (!keys.is_empty()).then(|| format!("Not modelled: {}.", keys.join(", ")))
    }
}

fn of_site(best: &ChosenPoint) -> Option<String> {
    let site = best.figures.site.as_deref()?;
    Some(format!(
        "{} is fastest at {}, with {}.",
        printable(site),
        best.in_words(),
        best.mean_in_words()
    ))
}
