//! The tables of a description, in the terminal and on the page.

use hotset_describe::zipf::{NoZipf, ZipfHead};
use hotset_describe::{Description, HotFile, SiteDescription, SizeQuantiles, TopClient};
use hotset_trace::read::NotFoundPath;

use crate::table::{SITES_SHOWN, optional};
use crate::{Cell, Column, Table, number};

/// One row a site and, where there are several sites, one for all of them.
fn per_site<const N: usize>(
    columns: [Column; N],
    description: &Description,
    cells: impl Fn(&SiteDescription) -> Vec<Cell>,
) -> Table {
    rows(by_site(columns), description, cells)
}

fn by_site(columns: impl IntoIterator<Item = Column>) -> Table {
    Table::new([Column::flexible("site")].into_iter().chain(columns))
}

fn rows(
    mut table: Table,
    description: &Description,
    cells: impl Fn(&SiteDescription) -> Vec<Cell>,
) -> Table {
    let row = |site: &SiteDescription, name: &str| [vec![name.into()], cells(site)].concat();
    for site in &description.sites {
        table.row(row(site, &site.site));
    }
    table.hide_beyond(SITES_SHOWN);
    if description.sites.len() != 1 {
        table.strong_row(row(&description.total, "all sites"));
    }
    table
}

/// Requests, clients, connections, rates.
pub(super) fn traffic(description: &Description) -> Table {
    let columns = [
        Column::number("requests"),
        Column::number("file reads"),
        Column::number("clients"),
        Column::number("per connection"),
        Column::bytes("sent"),
        Column::per_second("mean rate"),
        Column::per_second("peak minute"),
    ];
    per_site(columns, description, |site| {
        vec![
            Cell::count(site.requests),
            Cell::count(site.accesses),
            optional(site.clients, Cell::count),
            optional(site.requests_per_connection, Cell::plain),
            Cell::bytes(site.response_bytes),
            optional(site.requests_per_second.mean, Cell::per_second),
            optional(site.requests_per_second.peak_minute, Cell::per_second),
        ]
    })
}

/// Responses by class of status.
pub(super) fn responses(description: &Description) -> Table {
    let columns = [
        "1xx",
        "2xx",
        "3xx",
        "4xx",
        "5xx",
        "other",
        "not modified",
        "not for a file",
    ];
    per_site(columns.map(Column::number), description, |site| {
        let classes = &site.status_classes;
        let counts = [
            classes.informational,
            classes.success,
            classes.redirection,
            classes.client_error,
            classes.server_error,
            classes.other,
            site.not_modified_requests,
            site.not_file_requests - site.not_modified_without_file,
        ];
        counts.map(Cell::count).into()
    })
}

/// Number and sizes of files.
pub(super) fn files(description: &Description) -> Table {
    let columns = [
        Column::number("files"),
        Column::bytes("bytes"),
        Column::percent("read once"),
        Column::bytes("median size"),
        Column::bytes("p90"),
        Column::bytes("p99"),
        Column::bytes("largest"),
    ];
    per_site(columns, description, |site| {
        let size = |of: fn(&SizeQuantiles) -> u64| {
            optional(site.object_size_bytes.as_ref(), |sizes| {
                Cell::bytes(of(sizes))
            })
        };
        vec![
            Cell::count(site.objects),
            Cell::bytes(site.object_bytes),
            Cell::percent(site.one_timers.object_share),
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
        Column::bytes("90 %"),
        Column::bytes("95 %"),
        Column::bytes("97 %"),
        Column::bytes("98 %"),
        Column::bytes("99 %"),
        Column::number("Zipf exponent (95 % interval)").with_interval(),
    ];
    per_site(columns, description, |site| {
        let needed = &site.bytes_for_percent_of_requests;
        let memory = [needed.p90, needed.p95, needed.p97, needed.p98, needed.p99];
        let zipf = zipf(site, description);
        memory.map(Cell::bytes).into_iter().chain([zipf]).collect()
    })
}

/// The exponent, or what stands in its place.
fn zipf(site: &SiteDescription, description: &Description) -> Cell {
    if site.zipf_missing_because == Some(NoZipf::SeveralPopulations) {
        let sites = description.sites.iter().filter(|site| site.accesses > 0);
        return format!("{} populations", number::count(sites.count() as u64)).into();
    }
    optional(site.zipf.as_ref(), |fit| {
        exponent(fit.alpha, fit.low, fit.high)
    })
}

/// Zipf exponents of the most popular files alone; no rows where no site has enough of them.
pub(super) fn zipf_of_the_head(description: &Description) -> Table {
    let mut scopes = description.sites.iter().chain([&description.total]);
    let columns = [
        Column::number("Zipf exponent of the head (95 % interval)").with_interval(),
        Column::number("files"),
        Column::number("each read at least"),
    ];
    if !scopes.any(|site| head(site).is_some()) {
        return by_site(columns);
    }
    per_site(columns, description, |site| {
        let head = head(site);
        vec![
            optional(head, |head| exponent(head.alpha, head.low, head.high)),
            optional(head, |head| Cell::count(head.objects)),
            optional(head, |head| {
                let times = number::counted(head.least_accesses, "time", "times");
                Cell::count(head.least_accesses).shown_as(times)
            }),
        ]
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
pub(super) fn methods(description: &Description) -> Table {
    let columns = ["GET", "HEAD", "POST", "other methods"].map(Column::number);
    per_site(columns, description, |site| {
        let methods = &site.methods;
        let counts = [methods.get, methods.head, methods.post, methods.other];
        counts.map(Cell::count).into()
    })
}

/// Requests by status: the `most` most frequent, then the others together.
pub(super) fn status_codes(description: &Description, most: usize) -> Table {
    let mut codes: Vec<(u16, u64)> = description.total.status_codes.clone().into_iter().collect();
    codes.sort_by_key(|&(_, requests)| std::cmp::Reverse(requests));
    let has_others = codes.len() > most;
    codes.truncate(most);
    codes.sort_unstable();
    let names: Vec<String> = codes.iter().map(|(code, _)| format!("{code:03}")).collect();
    let columns = names.iter().map(|name| Column::number(name));
    let others = has_others.then(|| Column::number("other codes"));
    rows(by_site(columns.chain(others)), description, |site| {
        let count = |(code, _): &(u16, u64)| site.status_codes.get(code).copied().unwrap_or(0);
        let counts: Vec<u64> = codes.iter().map(count).collect();
        let others = site.requests.saturating_sub(counts.iter().sum());
        counts
            .into_iter()
            .chain(has_others.then_some(others))
            .map(Cell::count)
            .collect()
    })
}

/// Requests by status: each status of each site in a row of its own.
pub(super) fn statuses(description: &Description) -> Table {
    let mut table = by_site(["status", "requests"].map(Column::number));
    for site in &description.sites {
        for (&code, &requests) in &site.status_codes {
            let figures = [u64::from(code), requests].map(Cell::count);
            table.row([Cell::from(&site.site)].into_iter().chain(figures));
        }
    }
    table
}

/// What lists say beside the path or file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sites {
    /// The site of each row, where there are several.
    IfSeveral,
    /// The site of each row.
    Always,
}

impl Sites {
    fn column(self, description: &Description) -> Option<Column> {
        let shows = self == Sites::Always || description.sites.len() > 1;
        shows.then(|| Column::flexible("site"))
    }
}

/// The most read files.
pub(super) fn hottest(description: &Description, files: &[HotFile], sites: Sites) -> Table {
    let columns = [
        Column::flexible("file"),
        Column::number("reads"),
        Column::bytes("size"),
    ];
    let mut table = Table::new(columns.into_iter().chain(sites.column(description)));
    for file in files {
        table.row([
            Cell::from(&file.path),
            Cell::count(file.accesses),
            Cell::bytes(file.size_bytes),
            Cell::from(&file.site),
        ]);
    }
    table
}

/// The paths that were answered 404 most often.
pub(super) fn not_found(description: &Description, paths: &[NotFoundPath], sites: Sites) -> Table {
    let columns = [Column::flexible("path"), Column::number("requests")];
    let mut table = Table::new(columns.into_iter().chain(sites.column(description)));
    for path in paths {
        table.row([
            Cell::from(&path.path),
            Cell::count(path.requests),
            Cell::from(&path.site),
        ]);
    }
    table
}

/// The clients with the most requests.
pub(super) fn top_clients(clients: &[TopClient]) -> Table {
    let mut table = Table::new([
        Column::flexible("client"),
        Column::number("requests"),
        Column::bytes("sent"),
    ]);
    for client in clients {
        table.row([
            Cell::from(&client.client),
            Cell::count(client.requests),
            Cell::bytes(client.response_bytes),
        ]);
    }
    table
}
