//! What database servers get of a node's memory, in their own terms.

use hotset_plan::{DatabaseDivision, DatabaseSite, DividedServer, PoolPrediction};

use super::view::PlanView;
use crate::{Document, Table, number, printable};

const US_IN_MS: f64 = 1e3;

/// What to do about database servers, and then what `of_files` says.
pub(super) fn headline(view: &PlanView, of_files: String) -> String {
    let Some(division) = view.databases else {
        return of_files;
    };
    let servers = match division.is_left {
        true => left(division),
        false => changed(division),
    };
    format!(
        "{servers} Files have {}. {of_files}",
        number::bytes(division.files_bytes)
    )
}

fn left(division: &DatabaseDivision) -> String {
    let pools = division.servers.iter().map(|it| {
        let (name, pool) = (printable(&it.database), number::bytes(it.pool_bytes));
        format!("{name} keeps its buffer pool of {pool}")
    });
    let pools: Vec<String> = pools.collect();
    format!("Leave the memory as it is: {}.", pools.join(", "))
}

fn changed(division: &DatabaseDivision) -> String {
    let servers = division.servers.iter().map(of_server);
    let servers: Vec<String> = servers.collect();
    format!(
        "{} Reads of files and tables take {} in an hour instead of {}.",
        servers.join(" "),
        number::duration(division.read_ms_per_hour * US_IN_MS),
        number::duration(division.read_ms_per_hour_now * US_IN_MS),
    )
}

/// The buffer pool and the pins of a server.
fn of_server(server: &DividedServer) -> String {
    let (name, pool) = (
        printable(&server.database),
        number::bytes(server.pool_bytes),
    );
    let now = number::bytes(server.pool_bytes_now);
    let pool = match server.pool_bytes == server.pool_bytes_now {
        true => format!("{name} keeps its buffer pool of {pool}"),
        false => format!("Give {name} a buffer pool of {pool} instead of {now}"),
    };
    let pinned = server.pinned.iter();
    let pinned: Vec<_> = pinned.map(|it| printable(&it.table)).collect();
    match &pinned[..] {
        [] => format!("{pool}."),
        [only] => format!("{pool}, and pin the table {only}."),
        tables => format!("{pool}, and pin the tables {}.", tables.join(", ")),
    }
}

/// What each server and each site gets, and what is not done. Tables for spreadsheets are there without servers, too.
pub(super) fn show<'s>(view: &'s PlanView, to: &mut Document<'s>) {
    to.table(move |_| servers(view))
        .heading("Databases")
        .caption("Buffer pools and pinned tables. What is left of the memory is for held files and the page cache.")
        .sheet("databases");
    to.table(move |_| sites(view))
        .heading("Tables, site by site")
        .caption("What tables read from their store in an hour, and how long all their reads take.")
        .sheet("tables-by-site");
    let Some(division) = view.databases else {
        return;
    };
    to.remark(held_out(division)).remark(predictions(division));
    for server in &division.servers {
        to.remark(reasons(server)).remark(not_done(server));
    }
}

fn servers(view: &PlanView) -> impl Into<Table> {
    let servers = view.databases.into_iter().flat_map(|it| &it.servers);
    Table::of(servers)
        .flexible("database", |it| &it.database)
        .bytes("pool now", |it| it.pool_bytes_now)
        .bytes("pool", |it| it.pool_bytes)
        .bytes("pinned", pinned_bytes)
        .plain("reads/h now", |it| it.store_reads_per_hour_now)
        .plain("reads/h", |it| it.store_reads_per_hour)
}

fn pinned_bytes(server: &&DividedServer) -> u64 {
    let pinned = server.pinned.iter().map(|it| it.bytes);
    pinned.fold(0, u64::saturating_add)
}

fn sites(view: &PlanView) -> impl Into<Table> {
    let sites = view.databases.into_iter().flat_map(|it| &it.sites);
    Table::of(sites)
        .flexible("site", |it| site(it))
        .plain("reads/h now", |it| it.store_reads_per_hour_now)
        .plain("reads/h", |it| it.store_reads_per_hour)
        .duration("time now", |it| it.read_ms_per_hour_now * US_IN_MS)
        .duration("time", |it| it.read_ms_per_hour * US_IN_MS)
}

fn site(site: &DatabaseSite) -> String {
    let name = site.site.clone();
    name.unwrap_or_else(|| "of no site".to_owned())
}

fn held_out(division: &DatabaseDivision) -> Option<String> {
    let held_out = division.held_out?;
    let [now, then] = [held_out.read_ms_per_hour_now, held_out.read_ms_per_hour]
        .map(|ms| number::duration(ms * US_IN_MS));
    let scored = format!(
        "In the latest measurement, which the division has not seen, reads take {then} in an hour instead of {now}"
    );
    Some(match held_out.is_given_up {
        true => format!("{scored}. So it was given up."),
        false => format!("{scored}."),
    })
}

/// What earlier measurements have predicted of the latest, and what it was.
fn predictions(division: &DatabaseDivision) -> Option<String> {
    let sentence = |it: &PoolPrediction| {
        format!(
            "By what was measured with a buffer pool of {}, {} was to read {} pages in an hour with {}; it has read {}.",
            number::bytes(it.from_pool_bytes),
            printable(&it.database),
            number::plain(it.predicted_reads_per_hour),
            number::bytes(it.pool_bytes),
            number::plain(it.reads_per_hour)
        )
    };
    let sentences: Vec<String> = division.predictions.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Why tables are pinned.
fn reasons(server: &DividedServer) -> Option<String> {
    let reason = |it: &hotset_plan::PinnedTable| {
        let (table, bytes) = (printable(&it.table), number::bytes(it.bytes));
        format!("{table} ({bytes}) is pinned: {}.", it.reason)
    };
    let reasons: Vec<String> = server.pinned.iter().map(reason).collect();
    (!reasons.is_empty()).then(|| reasons.join(" "))
}

/// What is not done about a server, and what would have it done.
fn not_done(server: &DividedServer) -> Option<String> {
    let refused = server.refused_pins.iter();
    let refused =
        refused.map(|it| format!("{} is not pinned: {}.", printable(&it.table), it.reason));
    let lacks = server.lacks.iter();
    let lacks = lacks.map(|it| format!("{}: {it}.", printable(&server.database)));
    let kept = server.kept_because.iter();
    let kept = kept.map(|it| {
        let name = printable(&server.database);
        format!("The buffer pool of {name} is left as it is: {it}.")
    });
    let not_done: Vec<String> = refused.chain(lacks).chain(kept).collect();
    (!not_done.is_empty()).then(|| not_done.join(" "))
}
