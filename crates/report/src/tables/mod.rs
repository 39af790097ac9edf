//! The tables that terminal and page share.

mod compare;

pub(crate) use compare::latency_text;
pub use compare::{compared_groups, group_heading, links, means, percentiles, resources, served};

use crate::view::PlanReport;
use crate::{Column, Table, headline, number};
use hotset_describe::zipf::ZipfHead;
use hotset_describe::{Description, SiteDescription, SizeQuantiles};
use hotset_plan::{HeldOut, Plan, StoreAdvice};
use hotset_scenario::PlacedFile;

/// Sites that get a row of their own.
const SITES_SHOWN: usize = 200;

/// Says in the last row how many sites have none of their own.
fn count_rest(table: &mut Table, sites: usize) {
    let rest = sites.saturating_sub(SITES_SHOWN);
    if rest > 0 {
        table.row([format!("… {} more", number::count(rest as u64))]);
    }
}

fn optional<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| number::NONE.to_owned(), text)
}

/// One row a site and, where there are several sites, one for all of them.
fn per_site(
    columns: Vec<Column>,
    description: &Description,
    cells: impl Fn(&SiteDescription) -> Vec<String>,
) -> Table {
    let mut table = Table::new([Column::flexible("site")].into_iter().chain(columns));
    let row = |site: &SiteDescription, name: &str| [vec![name.to_owned()], cells(site)].concat();
    for site in description.sites.iter().take(SITES_SHOWN) {
        table.row(row(site, &site.site));
    }
    count_rest(&mut table, description.sites.len());
    if description.sites.len() != 1 {
        table.strong_row(row(&description.total, "all sites"));
    }
    table
}

fn numbers<const N: usize>(headers: [&str; N]) -> Vec<Column> {
    headers.map(Column::number).into()
}

/// Requests, clients, connections, rates.
pub fn traffic(description: &Description) -> Table {
    let columns = numbers([
        "requests",
        "file reads",
        "clients",
        "per connection",
        "sent",
        "mean rate",
        "peak minute",
    ]);
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
pub fn responses(description: &Description) -> Table {
    let columns = numbers(["1xx", "2xx", "3xx", "4xx", "5xx", "other", "not for a file"]);
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
pub fn files(description: &Description) -> Table {
    let columns = numbers([
        "files",
        "bytes",
        "read once",
        "median size",
        "p90",
        "p99",
        "largest",
    ]);
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
pub fn popularity(description: &Description) -> Table {
    let columns = numbers([
        "90 %",
        "95 %",
        "97 %",
        "98 %",
        "99 %",
        "Zipf exponent (95 % interval)",
    ]);
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
pub fn zipf_of_the_head(description: &Description) -> Option<Table> {
    let mut scopes = description.sites.iter().chain([&description.total]);
    if !scopes.any(|site| head(site).is_some()) {
        return None;
    }
    let columns = numbers([
        "Zipf exponent of the head (95 % interval)",
        "files",
        "each read at least",
    ]);
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
pub fn hottest(site: &SiteDescription, most: usize, with_site: bool) -> Table {
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

/// Ways of using the memory, one below the other.
pub fn arms(held_out: &HeldOut) -> Table {
    let mut table = Table::new([
        Column::text("memory used by"),
        Column::number("hit ratio"),
        Column::number("mean response"),
        Column::number("saves (95 % interval)"),
        Column::number("moved"),
    ]);
    for (name, arm) in [
        ("page cache alone", &held_out.page_cache),
        ("LRU", &held_out.lru),
        ("files below 1 MiB", &held_out.size_threshold),
        ("plan", &held_out.plan),
        ("plan, renewed", &held_out.adaptive),
        ("clairvoyant plan", &held_out.clairvoyant),
    ] {
        let cells = [
            name.to_owned(),
            number::percent(arm.hit_ratio),
            number::duration(arm.mean_us),
            headline::gain(arm),
            optional(arm.moved_bytes, number::bytes),
        ];
        if name == "plan" {
            table.strong_row(cells)
        } else {
            table.row(cells)
        }
    }
    table
}

/// Sites: what is held of each and what that buys it.
pub fn sites(plan: &Plan) -> Table {
    let mut table = Table::new([
        Column::flexible("site"),
        Column::number("accesses"),
        Column::number("held"),
        Column::number("files"),
        Column::number("page cache"),
        Column::number("plan"),
        Column::number("saves (95 % interval)"),
    ]);
    for site in plan.sites.iter().take(SITES_SHOWN) {
        table.row([
            site.site.clone(),
            number::count(site.held_out.accesses),
            number::bytes(site.held_bytes),
            number::count(site.held_objects),
            number::duration(site.held_out.page_cache.mean_us),
            number::duration(site.held_out.plan.mean_us),
            headline::gain(&site.held_out.plan),
        ]);
    }
    count_rest(&mut table, plan.sites.len());
    table
}

/// The first `most` of `files`.
pub fn held_files<'a>(files: impl Iterator<Item = &'a PlacedFile>, most: usize) -> Table {
    let mut table = Table::new([
        Column::flexible("file"),
        Column::number("size"),
        Column::number("reads"),
        Column::number("reads/h"),
        Column::number("saved µs/byte"),
    ]);
    for file in files.take(most) {
        table.row([
            path_text(&file.path.0),
            number::bytes(file.size_bytes),
            number::count(file.reason.requests),
            optional(file.reason.requests_per_hour, number::plain),
            number::plain(file.reason.saved_us_per_byte),
        ]);
    }
    table
}

/// A path as text: bytes that are not UTF-8 are percent-encoded again.
fn path_text(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk
            .invalid()
            .iter()
            .for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

/// Mean response against memory.
pub fn curve(plan: &Plan) -> Table {
    let mut table = Table::new([
        Column::number("memory"),
        Column::number("hit ratio"),
        Column::number("with the plan"),
        Column::number("mean response"),
        Column::number("with the plan"),
        Column::number("saves (95 % interval)"),
    ]);
    for point in &plan.curve {
        let cells = [
            number::bytes(point.memory_bytes),
            number::percent(point.page_cache.hit_ratio),
            number::percent(point.plan.hit_ratio),
            number::duration(point.page_cache.mean_us),
            number::duration(point.plan.mean_us),
            headline::gain(&point.plan),
        ];
        if point.memory_bytes == plan.memory_bytes {
            table.strong_row(cells)
        } else {
            table.row(cells)
        }
    }
    table
}

/// Memory needed for a gain.
pub fn memory_needed(report: &PlanReport) -> Table {
    let mut table = Table::new([Column::number("saves"), Column::number("needs")]);
    for (share, memory) in report.memory_needed {
        let none = || "no memory tried reaches it".to_owned();
        table.row([
            number::percent(*share),
            memory.map_or_else(none, number::bytes),
        ]);
    }
    table
}

/// What each store would make of each site's traffic, the best in front.
pub fn stores(report: &PlanReport) -> Table {
    let mut table = Table::new([
        Column::flexible("site"),
        Column::text("best store"),
        Column::number("response"),
        Column::number("hit ratio"),
        Column::number("per miss"),
        Column::flexible("other stores"),
    ]);
    for (site, advice) in report
        .plan
        .sites
        .iter()
        .zip(report.advice)
        .take(SITES_SHOWN)
    {
        let (best, others): (Vec<_>, Vec<_>) = advice
            .stores
            .iter()
            .partition(|store| Some(&store.store) == advice.best.as_ref());
        let other = |store: &&StoreAdvice| {
            format!("{} {}", store.store, number::duration(store.plan_mean_us))
        };
        table.row([
            site.site.clone(),
            optional(advice.best.clone(), |name| name),
            optional(best.first(), |store| number::duration(store.plan_mean_us)),
            number::percent(advice.plan_hit_ratio),
            whole_bytes(advice.mean_miss_bytes),
            others.iter().map(other).collect::<Vec<_>>().join(", "),
        ]);
    }
    count_rest(&mut table, report.advice.len());
    table
}

fn whole_bytes(bytes: f64) -> String {
    if bytes.is_finite() {
        number::bytes(bytes.round() as u64)
    } else {
        number::NONE.to_owned()
    }
}
