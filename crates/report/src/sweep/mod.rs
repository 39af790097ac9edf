//! `hotset sweep`: what a scenario gets at the points of a grid.
//!
//! | what | place |
//! | --- | --- |
//! | the value that all show | `value.rs` |
//! | what a point came to | `point.rs` |
//! | the table of points | `table.rs` |
//! | a plot for each varied key | `plots.rs` |

mod plots;
mod point;
mod table;
mod value;

use crate::{Document, Json, Page, Sheets, Tone, View, number, printable};

pub use point::{ChosenPoint, PointFigures, SiteFigures, SweepPoint};
pub use value::{SweepBy, SweepView, VariedKey};

/// Points that a terminal and a page show.
const IN_TERMINAL: usize = 25;
const ON_PAGE: usize = 1000;

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
        to.warning(self.failing_in_words());
        to.warning(self.unstable_in_words());
        to.warning(self.without_effect());
        to.section("curves").plots(move || plots::plots(self));
        let to_table = to.section("points");
        let rows: usize = self.all.iter().map(|it| it.figures.sites.len()).sum();
        let table = to_table.table(move |most| table::table(self, most));
        table
            .heading("Points")
            .caption(match self.by {
                SweepBy::Simulate => {
                    "A row for each site at each point; the mean response and its percentiles."
                }
                SweepBy::Model => "A row for each site at each point; the mean response.",
            })
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
        let how = match self.by {
            SweepBy::Simulate => "",
            SweepBy::Model => ", by formulas",
        };
        let of = format!("{} at {at}{how}", printable(&self.scenario));
        let targets = self.targets.join(" and ");
        let Some(best) = &self.best else {
            return match targets.is_empty() {
                true if self.failing < self.points => format!(
                    "{of}: none has responses where requests do not fail, as they come faster than they are served or too few were measured"
                ),
                true => format!("{of}: requests fail at all of them"),
                false => format!("{of}: none meets {}", printable(&targets)),
            };
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

    fn failing_in_words(&self) -> Option<String> {
        let points = number::counted(self.failing, "point", "points");
        (self.failing > 0).then(|| {
            format!("At {points} requests fail or wait for ever: none of these is called best.")
        })
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
            let follower = match self.by {
                SweepBy::Simulate => "simulation",
                SweepBy::Model => "calculation",
            };
            format!(
                "The {follower} does not follow {}: points that differ in that alone are alike.",
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
