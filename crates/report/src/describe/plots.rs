//! Traffic, popularity and sizes as pictures.

use hotset_describe::{CurvePoint, Description, SiteDescription, SizeQuantiles};

use super::hours;
use super::rate_over_time::rates;
use crate::number;
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::printable;

/// Sites drawn beside the total: as many as there are colours.
const SITES_DRAWN: usize = 6;

/// That some sites are not drawn.
pub(super) fn sites_not_drawn(description: &Description) -> Option<String> {
    let hidden = description.sites.len().saturating_sub(SITES_DRAWN) as u64;
    let others = number::counted(hidden, "other", "others");
    (hidden > 0).then(|| {
        format!(
            "Plots show the total and the {SITES_DRAWN} sites with the most requests, without {others}."
        )
    })
}

/// One line a site, those with most requests, and the total on top.
fn lines(
    description: &Description,
    points: impl Fn(&SiteDescription) -> Vec<(f64, f64)>,
) -> Vec<Series> {
    let mut sites: Vec<&SiteDescription> = description.sites.iter().collect();
    if let [site] = sites[..] {
        return vec![Series::line(
            &printable(&site.site),
            Ink::Main,
            points(&description.total),
        )];
    }
    sites.sort_by_key(|site| std::cmp::Reverse(site.requests));
    let drawn = sites.iter().take(SITES_DRAWN).enumerate();
    drawn
        .map(|(i, site)| Series::line(&printable(&site.site), Ink::Other(i), points(site)))
        .chain([Series::line(
            "all sites",
            Ink::Main,
            points(&description.total),
        )])
        .collect()
}

pub(super) fn rate(description: &Description) -> Plot {
    Plot {
        title: "Requests over time",
        description: "All requests, by the second. The first and the last step count for the part of them that the \
                      log covers, and are left out where that is less than half.",
        x: Axis::time(
            description.time_zone.rules(),
            &description.time_zone.to_string(),
        ),
        y: Axis::linear("requests per second", Unit::Plain),
        series: lines(description, |site| rates(site, description.span)),
    }
}

pub(super) fn hours_of_day(description: &Description) -> Plot {
    let shares = hours::shares(&description.total).into_iter().enumerate();
    let bar = |(hour, share): (usize, f64)| (hour as f64, (hour + 1) as f64, share);
    Plot {
        title: "Requests by hour of day",
        description: "Share of all requests in each hour.",
        x: Axis::linear(
            &format!("hour of day ({})", description.time_zone),
            Unit::HourOfDay,
        ),
        y: Axis::linear("share of the requests", Unit::Share),
        series: vec![Series::bars(
            "all sites",
            Ink::Main,
            shares.map(bar).collect(),
        )],
    }
}

pub(super) fn miss_ratio(description: &Description) -> Plot {
    miss_curve(
        description,
        "Misses against memory",
        "Share of the file reads that miss in an LRU cache of this size. Each site has a cache of its own.",
        |point| point.miss_ratio,
    )
}

pub(super) fn byte_miss_ratio(description: &Description) -> Plot {
    miss_curve(
        description,
        "Missed bytes against memory",
        "Share of the bytes read that the same cache fetches from its store.",
        |point| point.byte_miss_ratio,
    )
}

fn miss_curve(
    traffic: &Description,
    title: &'static str,
    description: &'static str,
    ratio: fn(&CurvePoint) -> f64,
) -> Plot {
    let points = |site: &SiteDescription| {
        let curve = site.miss_ratio_curve.iter();
        curve
            .map(|point| (point.cache_bytes as f64, ratio(point)))
            .collect()
    };
    Plot {
        title,
        description,
        x: Axis::log("cache size", Unit::Bytes),
        y: Axis::linear("miss ratio", Unit::Share),
        series: lines(traffic, points),
    }
}

pub(super) fn sizes(total: &SiteDescription) -> Plot {
    let line = |name: &str, ink: Ink, sizes: &Option<SizeQuantiles>| {
        Series::line(name, ink, sizes.as_ref().map_or_else(Vec::new, cumulative))
    };
    Plot {
        title: "Sizes of files",
        description: "Share of the files, and of the file reads, that are at most this large.",
        x: Axis::log("size", Unit::Bytes),
        y: Axis::linear("at most this large", Unit::Share),
        series: vec![
            line("file reads", Ink::Other(0), &total.access_size_bytes),
            line("files", Ink::Main, &total.object_size_bytes),
        ],
    }
}

fn cumulative(sizes: &SizeQuantiles) -> Vec<(f64, f64)> {
    let quantiles = [
        (sizes.min, 0.0),
        (sizes.p25, 0.25),
        (sizes.p50, 0.5),
        (sizes.p75, 0.75),
        (sizes.p90, 0.9),
        (sizes.p99, 0.99),
        (sizes.max, 1.0),
    ];
    quantiles.map(|(bytes, share)| (bytes as f64, share)).into()
}
