//! Simulated closed loops beside measured ones: the table, and how well rates, their order and starved sites are found.

use hotset_document::{Cell, Column, Table};

use super::arms::{self, Traffic};
use super::closed_accuracy::{ClosedFigure, ClosedPrediction};
use super::prediction::CellComparison;
use super::workload::SITES;
use crate::Axis;
use crate::figure::{Figure, PER_S, US, Unit};
use crate::quantile::quantile;

/// A site is starved that gets less than this share of what another way of using the memory gives it.
const STARVED: f64 = 0.1;

/// A way of using the memory of a cell.
struct Way<'p> {
    cell: &'p str,
    name: &'p str,
    closed: &'p ClosedPrediction,
}

impl Way<'_> {
    /// Whether it counts.
    fn counts(&self) -> bool {
        self.closed.is_quiet
    }

    /// Whether both sites are asked, so that it can be compared with others.
    fn serves_both(&self) -> bool {
        arms::named(self.name).is_ok_and(|arm| arm.traffic == Traffic::BothSites)
    }

    /// The rate of a site.
    fn rate(&self, site: &str) -> Option<&ClosedFigure> {
        let mut sites = self.closed.sites.iter();
        sites.find(|it| it.site == site).map(|it| &it.rate)
    }
}

/// Each way of using the memory of a cell once.
fn all(points: &[CellComparison]) -> Vec<Way<'_>> {
    let mut all: Vec<Way<'_>> = Vec::new();
    for point in points {
        let (cell, name) = (
            point.kept.point.on(Axis::Cell),
            point.kept.point.on(Axis::Arm),
        );
        let is_new = !all.iter().any(|way| (way.cell, way.name) == (cell, name));
        let prediction = point.prediction.as_ref().filter(|_| is_new);
        if let Some(closed) = prediction.and_then(|it| it.detail.closed.as_ref()) {
            all.push(Way { cell, name, closed });
        }
    }
    all
}

/// Rates and mean responses of the sites.
pub(super) fn table(points: &[CellComparison]) -> Table {
    let all = all(points);
    let sites = all.iter().flat_map(|way| {
        let sites = way.closed.sites.iter();
        sites.map(move |site| (way, site))
    });
    Table::of(sites)
        .text("cell", |(way, _)| way.cell)
        .text("memory", |(way, _)| way.name)
        .text("site", |(_, site)| &site.site)
        .figure("requests/s", |(_, site)| beside(PER_S, &site.rate))
        .column(Column::percent("beyond"), |(way, site)| {
            beyond(way, &site.rate)
        })
        .figure("response", |(_, site)| {
            let response = site.response.as_ref();
            response.map_or_else(Cell::default, |response| beside(US, response))
        })
        .into()
}

/// What was measured, with its range where there are several runs, and in brackets what is simulated.
fn beside(unit: Unit, figure: &ClosedFigure) -> Cell {
    let range = (figure.low < figure.high).then_some([figure.low, figure.high]);
    let measured = Figure::new(unit, figure.measured).within(range);
    Figure::cell(Some(measured.beside(Some(figure.simulated))))
}

/// How far it is off, or why that does not count.
fn beyond(way: &Way<'_>, figure: &ClosedFigure) -> Cell {
    match way.counts() {
        true => Cell::known(figure.beyond.map(|it| Cell::percent(it / 100.0))),
        false => Cell::from("noisy"),
    }
}

/// How well closed loops are simulated; nothing where none are.
pub(super) fn remarks(points: &[CellComparison]) -> Vec<String> {
    let all = all(points);
    let (quiet, noisy): (Vec<&Way<'_>>, Vec<_>) = all.iter().partition(|way| way.counts());
    let compared: Vec<&Way<'_>> = quiet
        .iter()
        .copied()
        .filter(|way| way.serves_both())
        .collect();
    let remarks = [
        basis(&all),
        errors(&quiet, noisy.len()),
        order(&compared),
        starved(&compared),
    ];
    remarks.into_iter().flatten().collect()
}

/// What the simulations take for granted.
fn basis(all: &[Way<'_>]) -> Option<String> {
    let closed = all.first()?.closed;
    let costs = match closed.has_measured_costs {
        true => "as measured",
        false => "as assumed (a `server_profile` of the scenario names measured ones)",
    };
    let most = all.iter().map(|way| way.closed.cpus).fold(0.0, f64::max);
    Some(format!(
        "closed loops are simulated with servers that cost {costs} and have up to {most:.2} processors"
    ))
}

/// How far the rates of these are off.
fn errors(quiet: &[&Way<'_>], noisy: usize) -> Option<String> {
    let sites = quiet.iter().flat_map(|way| &way.closed.sites);
    let mut beyond: Vec<f64> = sites.filter_map(|site| site.rate.beyond).collect();
    beyond.sort_unstable_by(f64::total_cmp);
    let (middle, most) = (quantile(&beyond, 0.5), quantile(&beyond, 0.9));
    let left_out = match noisy {
        0 => String::new(),
        noisy => format!("; {noisy} ways that others disturbed are not counted"),
    };
    match middle.zip(most) {
        Some((middle, most)) => Some(format!(
            "closed loops: {} rates of sites are {middle:.0} % beyond what was measured at the median, {most:.0} % at the 90th \
             percentile{left_out}",
            beyond.len()
        )),
        None => (noisy > 0)
            .then(|| String::from("closed loops: no way is counted, as others disturbed each")),
    }
}

/// Whether ways are in the order in which they were measured, where their runs are apart.
fn order(ways: &[&Way<'_>]) -> Option<String> {
    let several: Vec<&&Way<'_>> = ways.iter().filter(|way| way.closed.runs > 1).collect();
    let mut kept = Vec::new();
    for (number, one) in several.iter().enumerate() {
        let others = several[number + 1..].iter();
        for other in others.filter(|other| other.cell == one.cell) {
            let rates = SITES
                .iter()
                .filter_map(|site| Some((one.rate(site)?, other.rate(site)?)));
            kept.extend(rates.filter_map(|(one, other)| is_order_kept(one, other)));
        }
    }
    let right = kept.iter().filter(|kept| **kept).count();
    (!kept.is_empty()).then(|| {
        format!(
            "closed loops: the order of two ways is right in {right} of {} pairs of rates whose runs are apart",
            kept.len()
        )
    })
}

/// Whether the order of two rates is simulated as it was measured; nothing where their runs overlap.
fn is_order_kept(one: &ClosedFigure, other: &ClosedFigure) -> Option<bool> {
    let are_apart = one.high < other.low || other.high < one.low;
    are_apart.then_some((one.measured < other.measured) == (one.simulated < other.simulated))
}

/// A way and a site that may be starved, by what was measured and by what is simulated.
struct Case<'p> {
    name: String,
    rate: &'p ClosedFigure,
    best_measured: f64,
    best_simulated: f64,
}

impl Case<'_> {
    fn is_starved(&self) -> bool {
        self.rate.measured < STARVED * self.best_measured
    }

    fn is_taken_for_starved(&self) -> bool {
        self.rate.simulated < STARVED * self.best_simulated
    }
}

fn cases<'p>(ways: &[&'p Way<'p>]) -> Vec<Case<'p>> {
    let mut cases = Vec::new();
    for way in ways {
        for site in SITES {
            let Some(rate) = way.rate(site) else { continue };
            let of_cell = ways.iter().filter(|other| other.cell == way.cell);
            let rates = of_cell.filter_map(|other| other.rate(site));
            let most = rates.fold((0.0, 0.0), |(measured, simulated), it| {
                (it.measured.max(measured), it.simulated.max(simulated))
            });
            cases.push(Case {
                name: format!("{} {}, {site}", way.cell, way.name),
                rate,
                best_measured: most.0,
                best_simulated: most.1,
            });
        }
    }
    cases
}

/// Whether starved sites are found.
fn starved(ways: &[&Way<'_>]) -> Option<String> {
    let cases = cases(ways);
    let (starved, fed): (Vec<&Case<'_>>, Vec<_>) = cases.iter().partition(|it| it.is_starved());
    let missed = starved.iter().filter(|it| !it.is_taken_for_starved());
    let missed: Vec<&str> = missed.map(|it| it.name.as_str()).collect();
    let wrong = fed.iter().filter(|it| it.is_taken_for_starved());
    let wrong: Vec<&str> = wrong.map(|it| it.name.as_str()).collect();
    let list = |what: &str, names: &[&str]| match names {
        [] => String::new(),
        names => format!("; {what}: {}", names.join(", ")),
    };
    (!cases.is_empty()).then(|| {
        format!(
            "closed loops: {} of {} starved sites are found, which get less than a tenth of what another way gives them{}{}",
            starved.len() - missed.len(),
            starved.len(),
            list("not found", &missed),
            list("taken for starved", &wrong)
        )
    })
}
