//! The page of a description, and its sections for other pages.

use super::headline::headline;
use super::rate_over_time::rates;
use super::tables::{self, Sites};
use super::view::DescriptionView;
use super::{hours, left_out, not_found};
use crate::page::{Document, KeyFigure, Section, plots};
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::reading::Reading;
use crate::{Provenance, number};
use hotset_describe::{CurvePoint, Description, SiteDescription, SizeQuantiles};
use maud::{Markup, html};

/// Status codes that have a column of their own.
const CODES_SHOWN: usize = 12;
/// Sites drawn beside the total: as many as there are colours.
const SITES_DRAWN: usize = 6;

/// A description as one page.
pub(super) fn page(view: &DescriptionView, provenance: &Provenance) -> String {
    Document {
        title: "hotset: the traffic of your sites",
        headline: headline(view.description),
        figures: key_figures(&view.description.total),
        sections: sections(
            view.description,
            &Reading::new(view.reading, &view.description.time_zone),
        ),
        provenance,
    }
    .render()
}

fn key_figures(total: &SiteDescription) -> Vec<KeyFigure> {
    let reads = format!("{} file reads", number::count(total.accesses));
    let mut figures = vec![
        KeyFigure::new("Requests", number::count(total.requests), reads),
        KeyFigure::new(
            "Files",
            number::count(total.objects),
            number::bytes(total.object_bytes),
        ),
        KeyFigure::new(
            "Sent",
            number::bytes(total.response_bytes),
            "response bodies".to_owned(),
        ),
    ];
    let rate = &total.requests_per_second;
    if let (Some(mean), Some(peak)) = (rate.mean, rate.peak_minute) {
        let remark = format!("{} in the busiest minute", number::per_second(peak));
        figures.push(KeyFigure::new(
            "Mean rate",
            number::per_second(mean),
            remark,
        ));
    }
    if let Some(zipf) = &total.zipf {
        let interval = format!("95 % interval {:.3}–{:.3}", zipf.low, zipf.high);
        figures.push(KeyFigure::new(
            "Zipf exponent",
            format!("{:.3}", zipf.alpha),
            interval,
        ));
    }
    figures
}

/// Traffic, popularity, files, and what was counted.
pub(crate) fn sections(description: &Description, reading: &Reading) -> Vec<Section> {
    vec![
        Section::new("traffic", "Traffic", traffic(description)),
        Section::new(
            "popularity",
            "Popularity and memory",
            popularity(description),
        ),
        Section::new("sizes", "Files and their sizes", sizes(description)),
        Section::new("clients", "Clients", clients(description)),
        Section::new("missing", "Paths answered 404", missing(description)),
        Section::new("counted", "What was counted", reading.html()),
    ]
}

fn traffic(description: &Description) -> Markup {
    html! {
        (tables::traffic(description).html(
            "All requests. File reads are the GET requests that read a file's data; figures about memory count only them. \
             The peak minute is the busiest calendar minute, or the mean where that is higher: a log of less than a \
             minute fills none."))
        (plots(&[rate(description), hours_of_day(description)]))
        (tables::responses(description).html("Responses by class of status."))
        (tables::status_codes(description, CODES_SHOWN).html("Responses by status."))
        (tables::methods(description).html("Requests by method."))
    }
}

fn popularity(description: &Description) -> Markup {
    html! {
        @if let Some(note) = left_out::note(description) { p { (note) "." } }
        (plots(&[miss_ratio(description), byte_miss_ratio(description)]))
        (tables::popularity(description).html(
            "Bytes of the hottest files that receive this share of the file reads. The Zipf exponent says how steeply \
             popularity falls; it is fitted to the counts by maximum likelihood. Sites whose exponents differ are \
             populations of their own, and all of them together have no exponent."))
        (tables::zipf_of_the_head(description).html("The same exponent for the hottest files alone."))
        (not_drawn(description))
    }
}

fn sizes(description: &Description) -> Markup {
    html! {
        (tables::files(description).html("Distinct files that were read."))
        (plots(&[size_distribution(&description.total)]))
        (tables::hottest(description, &description.lists.hottest, Sites::IfSeveral).list_html("Hottest files."))
    }
}

fn clients(description: &Description) -> Markup {
    html! {
        p { "A client is an address in the log. It is shown as a pseudonym unless addresses are kept with "
            code { "--keep-clients" } "." }
        (tables::top_clients(&description.lists.top_clients).list_html("Clients with the most requests."))
    }
}

fn missing(description: &Description) -> Markup {
    let paths = &description.lists.not_found;
    html! {
        @if let Some(remark) = not_found::remark(&description.total) { p { (remark) } }
        @else if paths.is_empty() { p { "None." } }
        (tables::not_found(description, paths, Sites::IfSeveral).list_html("Paths that were answered 404 most often."))
    }
}

fn not_drawn(description: &Description) -> Markup {
    let hidden = description.sites.len().saturating_sub(SITES_DRAWN) as u64;
    html! {
        @if hidden > 0 {
            p { "Plots show the total and the " (SITES_DRAWN) " sites with the most requests, without "
                (number::counted(hidden, "other", "others")) "." }
        }
    }
}

/// One line a site, those with most requests, and the total on top.
fn lines(
    description: &Description,
    points: impl Fn(&SiteDescription) -> Vec<(f64, f64)>,
) -> Vec<Series> {
    let mut sites: Vec<&SiteDescription> = description.sites.iter().collect();
    if let [site] = sites[..] {
        return vec![Series::line(
            &site.site,
            Ink::Main,
            points(&description.total),
        )];
    }
    sites.sort_by_key(|site| std::cmp::Reverse(site.requests));
    let drawn = sites.iter().take(SITES_DRAWN).enumerate();
    drawn
        .map(|(i, site)| Series::line(&site.site, Ink::Other(i), points(site)))
        .chain([Series::line(
            "all sites",
            Ink::Main,
            points(&description.total),
        )])
        .collect()
}

fn rate(description: &Description) -> Plot {
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

fn hours_of_day(description: &Description) -> Plot {
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

fn miss_ratio(description: &Description) -> Plot {
    miss_curve(
        description,
        "Misses against memory",
        "Share of the file reads that miss in an LRU cache of this size. Each site has a cache of its own.",
        |point| point.miss_ratio,
    )
}

fn byte_miss_ratio(description: &Description) -> Plot {
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

fn size_distribution(total: &SiteDescription) -> Plot {
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
