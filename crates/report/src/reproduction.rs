//! `hotset reproduce`.

use hotset_experiment::reproduce::{
    DocumentClaim, Drawing, ReproducedCell, ReproducedStudy, Reproduction,
};

use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::{Cell, Column, Document, Json, Page, Rows, Sheets, Table, Tone, View, number};

/// Sections of the page. The documents go by the letters that studies and claims name them by.
const SECTIONS: [(&str, &str); 8] = [
    ("studies", "All studies"),
    ("claims", "Claims"),
    ("contradictions", "Contradictions in the documents"),
    (
        "a",
        "A: Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand",
    ),
    ("b", "B: Characterization of multi-tier data-centers"),
    ("c", "C: A study of the performance of diskless web servers"),
    (
        "d",
        "D: File system simulation: hierarchical performance measurement and modeling",
    ),
    ("undecided", "Claims that nothing decides yet"),
];

/// Tables, figures and claims of the documents, beside ours.
pub struct ReproductionView {
    /// The studies; its fields are the keys of `--json`.
    pub reproduction: Reproduction,
    /// Whether the terminal shows the figures of each study, and claims that nothing decides; the page does so always.
    pub has_details: bool,
}

impl View for ReproductionView {
    /// How much agrees, study by study, then what the documents claim.
    fn document(&self) -> Document<'_> {
        let of = &self.reproduction;
        let mut to = Document::new(self.headline(), Tone::Strong)
            .titled("hotset: the documents, reproduced")
            .with_sections(SECTIONS);
        self.show_figures(&mut to);
        to.section("studies").sentence(self.in_words());
        to.sentence(self.without_experiments());
        let table = to.table(move |_| overview(of));
        table
            .heading("Studies")
            .caption("A row for each table or figure of the documents; which document a letter is, the headings below say.");
        for study in &of.studies {
            match self.has_details {
                true => show_study(study, &mut to),
                false => _ = to.on_page(|to| show_study(study, to)),
            }
        }
        self.show_claims(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        &self.reproduction
    }
}

impl Page for ReproductionView {}
impl Sheets for ReproductionView {}

impl ReproductionView {
    fn headline(&self) -> String {
        let of = &self.reproduction;
        let studies = number::counted(of.studies.len() as u64, "study", "studies");
        let within = &of.cells_within;
        match within.all {
            0 => format!("{studies}: no figure is simulated or calculated here"),
            all => format!(
                "{studies}: of {} that are simulated, {} are within 10 %, {} within 20 %, {} within 40 %",
                number::counted(all, "figure", "figures"),
                number::count(within.ten),
                number::count(within.twenty),
                number::count(within.forty)
            ),
        }
    }

    /// Orderings and claims, counted.
    fn in_words(&self) -> String {
        let of = &self.reproduction;
        let undecided = of.claims.list.iter().filter(|it| is_undecided(it)).count();
        format!(
            "{} of two figures are kept and {} broken. Of the documents' claims {} hold here, {} fail, {} contradict each other in the \
             documents, and {} are not decided yet.",
            number::counted(of.orderings.kept, "ordering", "orderings"),
            number::count(of.orderings.broken),
            number::count(of.claims.hold),
            number::count(of.claims.fail),
            number::count(of.claims.contradictory),
            number::count(undecided as u64)
        )
    }

    fn without_experiments(&self) -> Option<String> {
        (!self.reproduction.has_experiments).then(|| {
            "There is no folder `experiments` here, so nothing that was measured is shown."
                .to_owned()
        })
    }

    fn show_figures(&self, to: &mut Document) {
        let of = &self.reproduction;
        let all = format!("of {}", number::count(of.cells_within.all));
        let pairs = of.orderings.kept + of.orderings.broken;
        to.figure(
            "Figures within 20 %",
            number::count(of.cells_within.twenty),
            all,
        )
        .figure(
            "Orderings kept",
            number::count(of.orderings.kept),
            format!("of {}", number::count(pairs)),
        )
        .figure(
            "Claims that hold",
            number::count(of.claims.hold),
            format!("{} fail", number::count(of.claims.fail)),
        )
        .figure(
            "Contradictions",
            number::count(of.claims.contradictory),
            "in the documents",
        );
    }

    fn show_claims(&self, to: &mut Document) {
        let all = &self.reproduction.claims.list;
        let lines = |is_one: fn(&DocumentClaim) -> bool| -> Vec<String> {
            let some = all.iter().filter(|claim| is_one(claim));
            some.map(claim_in_words).collect()
        };
        to.section("claims")
            .lines(
                "Claims that fail here",
                &lines(|it| it.holds == Some(false)),
            )
            .lines("Claims that hold here", &lines(|it| it.holds == Some(true)));
        to.section("contradictions").lines(
            "Contradictions in the documents",
            &lines(DocumentClaim::is_contradiction),
        );
        let undecided = lines(is_undecided);
        to.section("undecided");
        let heading = "Claims that nothing decides yet";
        match self.has_details {
            true => _ = to.lines(heading, &undecided),
            false => _ = to.on_page(|to| _ = to.lines(heading, &undecided)),
        }
    }
}

/// Whether nothing here decides a claim yet.
fn is_undecided(claim: &DocumentClaim) -> bool {
    claim.holds.is_none() && !claim.is_contradiction()
}

fn claim_in_words(claim: &DocumentClaim) -> String {
    let text = claim.text.trim_end_matches('.');
    format!("{text} ({}). {}", claim.section, claim.why)
}

/// A row for each study.
fn overview(of: &Reproduction) -> Rows<&ReproducedStudy> {
    let count = |study: &ReproducedStudy, has: fn(&ReproducedCell) -> bool| {
        study.cells.iter().filter(|cell| has(cell)).count() as u64
    };
    Table::of(&of.studies)
        .text("study", |it| it.name)
        .text("in", |it| it.section)
        .count("published", move |it| {
            count(it, |cell| cell.published.is_some())
        })
        .count("simulated", move |it| {
            count(it, |cell| cell.simulated.is_some())
        })
        .count("measured", move |it| {
            count(it, |cell| cell.measured.is_some())
        })
        .percent("median error", |it| {
            it.median_error_percent.map(|percent| percent / 100.0)
        })
}

/// The figures of a study, and what is to be known beside them.
fn show_study<'a>(study: &'a ReproducedStudy, to: &mut Document<'a>) {
    let title = format!("{}: {} ({})", study.name, study.title, study.section);
    to.section(section_of(study));
    match study.cells.is_empty() {
        true => _ = to.paragraph(format!("{title}.")),
        false => {
            let table = to.table(move |_| cells(study));
            table.heading(title.as_str()).caption(title.as_str());
        }
    }
    let has_lines = |it: &&Drawing| !it.lines.is_empty();
    if study.drawings.iter().any(|it| has_lines(&it)) {
        to.plots(move || {
            let drawn = study.drawings.iter().filter(has_lines);
            drawn.map(plot).collect()
        });
    }
    to.notes(study.notes.iter().map(|note| format!("{note}.")));
}

/// A figure as the document draws it.
fn plot(of: &Drawing) -> Plot {
    let lines = of.lines.iter().enumerate();
    let series = lines.map(|(nth, (name, points))| {
        let points = points.clone();
        Series::line(name, Ink::Other(nth), points)
    });
    Plot {
        title: of.title,
        description: of.description,
        x: Axis::linear(of.x, Unit::Plain),
        y: match of.has_times {
            true => Axis::log(of.y, Unit::Duration),
            false => Axis::linear(of.y, Unit::Plain),
        },
        series: series.collect(),
    }
}

/// The section of the document that a study is of.
fn section_of(study: &ReproducedStudy) -> &'static str {
    match study.section.chars().next() {
        Some('A') => "a",
        Some('B') => "b",
        Some('C') => "c",
        _ => "d",
    }
}

/// A row for each figure.
fn cells(study: &ReproducedStudy) -> Table {
    let error = |cell: &&ReproducedCell| {
        let share = cell.error_percent.map(|percent| percent / 100.0);
        Cell::known(share.map(Cell::signed_percent))
    };
    Table::of(&study.cells)
        .flexible("row", |it| it.row.as_str())
        .flexible("column", |it| it.column.as_str())
        .plain("published", |it| it.published)
        .plain("simulated", |it| it.simulated)
        .plain("measured", |it| it.measured)
        .column(Column::percent("error"), error)
        .flexible("explained", |it| {
            it.explained.as_deref().unwrap_or_default()
        })
        .without_unknown_columns()
        .into()
}
