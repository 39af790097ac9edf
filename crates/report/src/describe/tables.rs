//! The tables of a description.

use std::cmp::Reverse;

use hotset_describe::zipf::{NoZipf, ZipfHead};
use hotset_describe::{Description, SiteDescription, SizeQuantiles};

use crate::{Cell, Column, Rows, Table, number};

/// Sites that get a row of their own where people read.
const SITES_SHOWN: usize = 200;

/// A site by its name, or all of them.
type Scope<'a> = (&'a str, &'a SiteDescription);

/// One row a site and, where there are several sites, one for all of them.
fn by_site(of: &Description) -> Rows<Scope<'_>> {
    let total = (of.sites.len() != 1).then_some(("all sites", &of.total));
    let sites = of.sites.iter().map(|site| (site.site.as_str(), site));
    Table::of(sites)
        .first(SITES_SHOWN)
        .total(total)
        .flexible("site", |it| it.0)
}

/// Requests, clients, connections, rates.
pub(super) fn traffic(of: &Description) -> impl Into<Table> {
    by_site(of)
        .count("requests", |it| it.1.requests)
        .count("file reads", |it| it.1.accesses)
        .count("clients", |it| it.1.clients)
        .plain("per connection", |it| it.1.requests_per_connection)
        .bytes("sent", |it| it.1.response_bytes)
        .per_second("mean rate", |it| it.1.requests_per_second.mean)
        .per_second("peak minute", |it| it.1.requests_per_second.peak_minute)
}

/// Responses by class of status.
pub(super) fn responses(of: &Description) -> impl Into<Table> {
    by_site(of)
        .count("1xx", |it| it.1.status_classes.informational)
        .count("2xx", |it| it.1.status_classes.success)
        .count("3xx", |it| it.1.status_classes.redirection)
        .count("4xx", |it| it.1.status_classes.client_error)
        .count("5xx", |it| it.1.status_classes.server_error)
        .count("other", |it| it.1.status_classes.other)
        .count("not modified", |it| it.1.not_modified_requests)
        .count("not for a file", |it| {
            it.1.not_file_requests - it.1.not_modified_without_file
        })
}

/// Number and sizes of files, and the mean size of the file that a read is for: it is below that of a file where the popular
/// files are small.
pub(super) fn files(of: &Description) -> impl Into<Table> {
    let mean =
        |sizes: &Option<SizeQuantiles>| sizes.as_ref().map(|sizes| sizes.mean.round() as u64);
    let size = |it: &Scope, of: fn(&SizeQuantiles) -> u64| it.1.object_size_bytes.as_ref().map(of);
    by_site(of)
        .count("files", |it| it.1.objects)
        .bytes("bytes", |it| it.1.object_bytes)
        .percent("read once", |it| it.1.one_timers.object_share)
        .bytes("mean file", |it| mean(&it.1.object_size_bytes))
        .bytes("mean read", |it| mean(&it.1.access_size_bytes))
        .bytes("median size", |it| size(it, |sizes| sizes.p50))
        .bytes("p90", |it| size(it, |sizes| sizes.p90))
        .bytes("p99", |it| size(it, |sizes| sizes.p99))
        .bytes("largest", |it| size(it, |sizes| sizes.max))
}

/// Bytes that hold the files a share of the reads asks for, and how steep popularity is.
pub(super) fn popularity(of: &Description) -> impl Into<Table> {
    let exponents = Column::number("Zipf exponent (95 % interval)").with_interval();
    by_site(of)
        .bytes("90 %", |it| it.1.bytes_for_percent_of_requests.p90)
        .bytes("95 %", |it| it.1.bytes_for_percent_of_requests.p95)
        .bytes("97 %", |it| it.1.bytes_for_percent_of_requests.p97)
        .bytes("98 %", |it| it.1.bytes_for_percent_of_requests.p98)
        .bytes("99 %", |it| it.1.bytes_for_percent_of_requests.p99)
        .column(exponents, |it| zipf(it.1, of))
}

/// The exponent, or what stands in its place.
fn zipf(site: &SiteDescription, of: &Description) -> Cell {
    if site.zipf_missing_because == Some(NoZipf::SeveralPopulations) {
        let sites = of.sites.iter().filter(|site| site.accesses > 0);
        return format!("{} populations", number::count(sites.count() as u64)).into();
    }
    let fit = site.zipf.as_ref();
    Cell::known(fit.map(|fit| exponent(fit.alpha, fit.low, fit.high)))
}

/// Zipf exponents of the most popular files alone; no rows where no site has enough of them.
pub(super) fn zipf_of_the_head(of: &Description) -> impl Into<Table> {
    let exponents = Column::number("Zipf exponent of the head (95 % interval)").with_interval();
    let mut scopes = of.sites.iter().chain([&of.total]);
    let rows = match scopes.any(|site| head(site).is_some()) {
        true => by_site(of),
        false => Table::of([]).flexible("site", |it: &Scope| it.0),
    };
    rows.column(exponents, |it| {
        Cell::known(head(it.1).map(|head| exponent(head.alpha, head.low, head.high)))
    })
    .count("files", |it| head(it.1).map(|head| head.objects))
    .figure("each read at least", |it| {
        Cell::known(head(it.1).map(|head| {
            let times = number::counted(head.least_accesses, "time", "times");
            Cell::count(head.least_accesses).shown_as(times)
        }))
    })
}

fn head(site: &SiteDescription) -> Option<&ZipfHead> {
    site.zipf.as_ref().and_then(|fit| fit.head.as_ref())
}

fn exponent(alpha: f64, low: f64, high: f64) -> Cell {
    let text = format!("{alpha:.3} ({low:.3}–{high:.3})");
    Cell::interval(text, alpha, low, high)
}

/// Requests by method.
pub(super) fn methods(of: &Description) -> impl Into<Table> {
    by_site(of)
        .count("GET", |it| it.1.methods.get)
        .count("HEAD", |it| it.1.methods.head)
        .count("POST", |it| it.1.methods.post)
        .count("other methods", |it| it.1.methods.other)
}

/// Requests by status: the `most` most frequent, then the others together.
pub(super) fn status_codes(of: &Description, most: usize) -> impl Into<Table> {
    let mut codes: Vec<(u16, u64)> = of.total.status_codes.clone().into_iter().collect();
    codes.sort_by_key(|&(_, requests)| Reverse(requests));
    let has_others = codes.len() > most;
    codes.truncate(most);
    codes.sort_unstable();
    let count = |site: &SiteDescription, code| site.status_codes.get(&code).copied().unwrap_or(0);
    let mut table = by_site(of);
    for &(code, _) in &codes {
        table = table.count(&format!("{code:03}"), |it| count(it.1, code));
    }
    match has_others {
        true => table.count("other codes", |it| {
            let shown = codes.iter().map(|&(code, _)| count(it.1, code));
            it.1.requests.saturating_sub(shown.sum())
        }),
        false => table,
    }
}

/// Requests by status: each status of each site in a row of its own.
pub(super) fn statuses(of: &Description) -> impl Into<Table> {
    let statuses = of.sites.iter().flat_map(|site| {
        let codes = site.status_codes.iter();
        codes.map(move |(&code, &requests)| (site, code, requests))
    });
    Table::of(statuses)
        .flexible("site", |it| &it.0.site)
        .count("status", |it| u64::from(it.1))
        .count("requests", |it| it.2)
}

/// The most read files; people are told the site of each where there are several.
pub(super) fn hottest(of: &Description, most: usize) -> impl Into<Table> {
    Table::of(of.lists.hottest.iter().take(most))
        .flexible("file", |it| &it.path)
        .count("reads", |it| it.accesses)
        .bytes("size", |it| it.size_bytes)
        .flexible("site", |it| &it.site)
        .shown_if(of.sites.len() > 1)
}

/// The paths that were answered 404 most often.
pub(super) fn not_found(of: &Description, most: usize) -> impl Into<Table> {
    Table::of(of.lists.not_found.iter().take(most))
        .flexible("path", |it| &it.path)
        .count("requests", |it| it.requests)
        .flexible("site", |it| &it.site)
        .shown_if(of.sites.len() > 1)
}

/// The clients with the most requests.
pub(super) fn top_clients(of: &Description, most: usize) -> impl Into<Table> {
    Table::of(of.lists.top_clients.iter().take(most))
        .flexible("client", |it| &it.client)
        .count("requests", |it| it.requests)
        .bytes("sent", |it| it.response_bytes)
}
