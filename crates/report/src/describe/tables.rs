//! The tables of a description, in the terminal and on the page.

use hotset_describe::zipf::ZipfHead;
use hotset_describe::{Description, SiteDescription, SizeQuantiles};

use crate::table::{SITES_SHOWN, optional};
use crate::{Column, Table, number};

/// One row a site and, where there are several sites, one for all of them.
fn per_site<const N: usize>(
    columns: [&str; N],
    description: &Description,
    cells: impl Fn(&SiteDescription) -> Vec<String>,
) -> Table {
    let mut table = Table::of_numbers(Column::flexible("site"), columns);
    let row = |site: &SiteDescription, name: &str| [vec![name.to_owned()], cells(site)].concat();
    for site in description.sites.iter().take(SITES_SHOWN) {
        table.row(row(site, &site.site));
    }
    table.count_rest(description.sites.len());
    if description.sites.len() != 1 {
        table.strong_row(row(&description.total, "all sites"));
    }
    table
}

/// Requests, clients, connections, rates.
pub(super) fn traffic(description: &Description) -> Table {
    let columns = [
        "requests",
        "file reads",
        "clients",
        "per connection",
        "sent",
        "mean rate",
        "peak minute",
    ];
    per_site(columns, description, |site| {
        vec![
            number::count(site.requests),
            number::count(site.accesses),
            optional(site.clients, number::count),
            optional(site.requests_per_connection, number::plain),
            number::bytes(site.response_bytes),
            optional(site.requests_per_second.mean, number::per_second),
            optional(site.requests_per_second.peak_minute, number::per_second),
        ]
    })
}

/// Responses by class of status.
pub(super) fn responses(description: &Description) -> Table {
    let columns = ["1xx", "2xx", "3xx", "4xx", "5xx", "other", "not for a file"];
    per_site(columns, description, |site| {
        let classes = &site.status_classes;
        let counts = [
            classes.informational,
            classes.success,
            classes.redirection,
            classes.client_error,
            classes.server_error,
            classes.other,
            site.not_file_requests,
        ];
        counts.map(number::count).into()
    })
}

/// Number and sizes of files.
pub(super) fn files(description: &Description) -> Table {
    let columns = [
        "files",
        "bytes",
        "read once",
        "median size",
        "p90",
        "p99",
        "largest",
    ];
    per_site(columns, description, |site| {
        let size = |of: fn(&SizeQuantiles) -> u64| {
            optional(site.object_size_bytes.as_ref(), |sizes| {
                number::bytes(of(sizes))
            })
        };
        vec![
            number::count(site.objects),
            number::bytes(site.object_bytes),
            number::percent(site.one_timers.object_share),
            size(|sizes| sizes.p50),
            size(|sizes| sizes.p90),
            size(|sizes| sizes.p99),
            size(|sizes| sizes.max),
        ]
    })
}

/// Bytes that hold the files a share of the reads asks for, and how steep popularity is.
pub(super) fn popularity(description: &Description) -> Table {
    let columns = [
        "90 %",
        "95 %",
        "97 %",
        "98 %",
        "99 %",
        "Zipf exponent (95 % interval)",
    ];
    per_site(columns, description, |site| {
        let needed = &site.bytes_for_percent_of_requests;
        let memory = [needed.p90, needed.p95, needed.p97, needed.p98, needed.p99];
        let zipf = optional(site.zipf.as_ref(), |fit| {
            exponent(fit.alpha, fit.low, fit.high)
        });
        memory
            .map(number::bytes)
            .into_iter()
            .chain([zipf])
            .collect()
    })
}

/// Zipf exponents of the most popular files alone, where any site has enough of them.
pub(super) fn zipf_of_the_head(description: &Description) -> Option<Table> {
    let mut scopes = description.sites.iter().chain([&description.total]);
    if !scopes.any(|site| head(site).is_some()) {
        return None;
    }
    let columns = [
        "Zipf exponent of the head (95 % interval)",
        "files",
        "each read at least",
    ];
    Some(per_site(columns, description, |site| {
        let head = head(site);
        vec![
            optional(head, |head| exponent(head.alpha, head.low, head.high)),
            optional(head, |head| number::count(head.objects)),
            optional(head, |head| {
                number::counted(head.least_accesses, "time", "times")
            }),
        ]
    }))
}

fn head(site: &SiteDescription) -> Option<&ZipfHead> {
    site.zipf.as_ref().and_then(|fit| fit.head.as_ref())
}

fn exponent(alpha: f64, low: f64, high: f64) -> String {
    format!("{alpha:.3} ({low:.3}–{high:.3})")
}

/// The `most` most read files.
pub(super) fn hottest(site: &SiteDescription, most: usize, with_site: bool) -> Table {
    let site_column = with_site.then(|| Column::flexible("site"));
    let columns = [
        Column::flexible("file"),
        Column::number("reads"),
        Column::number("size"),
    ];
    let mut table = Table::new(columns.into_iter().chain(site_column));
    for file in site.hottest.iter().take(most) {
        let reads = number::count(file.accesses);
        table.row([
            &file.path,
            &reads,
            &number::bytes(file.size_bytes),
            &file.site,
        ]);
    }
    table
}
