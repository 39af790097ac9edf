//! Which point is best, and where the mean response bends.

use std::collections::BTreeMap;

use hotset_plan::knee;
use hotset_report::{ChosenPoint, SiteFigures, SweepPoint};
use hotset_scenario::Measure;

use super::grid::Grid;
use crate::plan::SiteTarget;

/// Points of a sweep, each finished.
pub(super) struct Findings<'s> {
    pub grid: &'s Grid,
    pub points: &'s [SweepPoint],
    pub targets: &'s [SiteTarget],
}

impl Findings<'_> {
    /// How many points meet all targets, without requests that fail.
    pub fn meeting(&self) -> usize {
        self.points.iter().filter(|it| self.meets(it)).count()
    }

    /// Of the points that meet all targets, the one with the least of the minimised key, then the one with the least mean response.
    /// Without targets the point with the least mean response. Points where requests fail are left out: means are of those that did not.
    pub fn best(&self) -> Option<usize> {
        let points = self.points.iter().enumerate();
        let meeting = points.filter(|(_, it)| self.meets(it));
        let rank = |it: &SweepPoint| match self.targets.is_empty() {
            true => 0.0,
            false => self.rank(it),
        };
        let ranked = meeting.map(|(at, it)| (at, rank(it), mean_us(it.figures.all())));
        // A point without a mean has no response: none was measured, or requests come faster than they are served.
        let ranked = ranked.filter(|(.., mean_us)| mean_us.is_finite());
        let best = ranked.min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
        best.map(|(at, ..)| at)
    }

    /// Where the mean response bends along the minimised key, with the other keys as at the point `best`.
    pub fn knee(&self, best: usize) -> Option<usize> {
        let key = self.grid.minimised;
        self.grid.vary[key].unit()?;
        let best = &self.points[best].places;
        let is_along = |places: &[usize]| {
            let pairs = places.iter().zip(best).enumerate();
            pairs.filter(|(at, _)| *at != key).all(|(_, (a, b))| a == b)
        };
        let points = self.points.iter().enumerate();
        let along = points.filter(|(_, it)| is_along(&it.places) && !it.figures.fails());
        let mut along: Vec<(usize, (f64, f64))> = along
            .map(|(at, it)| (at, (self.rank(it), mean_us(it.figures.all()))))
            .collect();
        along.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let curve: Vec<(f64, f64)> = along.iter().map(|it| it.1).collect();
        Some(along[knee(&curve)?].0)
    }

    /// How many points requests fail at.
    pub fn failing(&self) -> usize {
        self.points.iter().filter(|it| it.figures.fails()).count()
    }

    /// For each of several sites the point with its least mean response, of those without requests that fail.
    pub fn best_of_sites(&self) -> Vec<ChosenPoint> {
        let first = self.points.first();
        let sites = first.map_or(&[][..], |it| &it.figures.sites[..]);
        let named = sites.iter().filter_map(|it| it.site.as_deref());
        let names: Vec<&str> = named.filter(|_| sites.len() > 1).collect();
        let best = |name: &&str| {
            let points = self.points.iter().enumerate();
            let points = points.filter(|(_, it)| !it.figures.fails());
            let of_site = points.filter_map(|(at, it)| Some((at, site_of(it, name)?)));
            let of_site = of_site.filter(|(_, it)| it.mean_us.is_some());
            let best = of_site.min_by(|a, b| mean_us(Some(a.1)).total_cmp(&mean_us(Some(b.1))));
            best.map(|(at, figures)| self.chosen(at, figures.clone()))
        };
        names.iter().filter_map(best).collect()
    }

    /// A point, with what all sites together got there.
    pub fn point(&self, at: usize) -> ChosenPoint {
        let all = self.points[at].figures.all().cloned();
        self.chosen(at, all.unwrap_or_default())
    }

    fn chosen(&self, at: usize, figures: SiteFigures) -> ChosenPoint {
        let settings = self.grid.vary.iter().zip(&self.points[at].places);
        let set = settings.map(|(key, place)| {
            let value = &key.values()[*place];
            (key.path().to_owned(), value.text.clone())
        });
        ChosenPoint {
            point: at as u64,
            set: set.collect::<BTreeMap<_, _>>(),
            figures,
            bottleneck: self.points[at].figures.bottleneck.clone(),
        }
    }

    /// How much there is of the minimised key: its figure, or the place in its list.
    fn rank(&self, point: &SweepPoint) -> f64 {
        let key = self.grid.minimised;
        let place = point.places[key];
        let figure = self.grid.vary[key].values()[place].figure;
        figure.unwrap_or(place as f64)
    }

    fn meets(&self, point: &SweepPoint) -> bool {
        let mut targets = self.targets.iter();
        !point.figures.fails()
            && targets.all(|it| {
                let measured = site_of(point, &it.site).and_then(|site| match it.target.measure {
                    Measure::Mean => site.mean_us,
                    Measure::P50 => site.p50_us,
                    Measure::P95 => site.p95_us,
                    Measure::P99 => site.p99_us,
                });
                measured.is_some_and(|us| us < it.target.below_us)
            })
    }
}

fn site_of<'p>(point: &'p SweepPoint, name: &str) -> Option<&'p SiteFigures> {
    let mut sites = point.figures.sites.iter();
    sites.find(|it| it.site.as_deref() == Some(name))
}

/// A mean response; one that is not known is longer than all others.
fn mean_us(figures: Option<&SiteFigures>) -> f64 {
    let mean_us = figures.and_then(|it| it.mean_us);
    mean_us.unwrap_or(f64::INFINITY)
}

/// A site with a target of which no point has a response.
pub(super) fn unmeasured(points: &[SweepPoint], targets: &[SiteTarget]) -> Option<String> {
    let is_measured = |name: &str| {
        let mut sites = points.iter().filter_map(|it| site_of(it, name));
        sites.any(|it| it.mean_us.is_some())
    };
    let mut sites = targets.iter().map(|it| &it.site);
    sites.find(|site| !is_measured(site)).cloned()
}
