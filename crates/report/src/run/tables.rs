//! Tables of a daemon.

use crate::{Column, Table, number, printable};
use hotset_live::{HotFile, Move};
use maud::{Markup, html};

/// The hottest files, each with a bar as long as it is hot.
pub(super) fn hottest(files: &[HotFile]) -> Markup {
    let most = files.iter().map(|file| file.heat).fold(0.0, f64::max);
    let width = |file: &HotFile| {
        format!(
            "width:{:.1}%",
            100.0 * file.heat / most.max(f64::MIN_POSITIVE)
        )
    };
    html! {
        div.scroll { table.heat {
            caption { span {
                "The files that are asked for most, by requests as they are remembered. A full bar is held, an empty one is not."
            } }
            thead { tr {
                th.flexible { "file" } th.side { "site" } th.number.side { "size" } th.bar { "heat" } th.number { "requests" }
            } }
            tbody { @for file in files { tr {
                th.flexible scope="row" {
                    (printable(&String::from_utf8_lossy(&file.path.0)))
                    small.where { (printable(&file.site)) }
                }
                td.side { (printable(&file.site)) }
                td.number.side { (number::bytes(file.size_bytes)) }
                td.bar { i.held[file.is_held] style=(width(file)) {} }
                td.number { (number::count(file.heat.round() as u64)) }
            } } }
        } }
    }
}

/// What was moved last and why, the newest first.
pub(super) fn moves<'m>(moves: impl Iterator<Item = &'m Move>) -> Table {
    let mut table = Table::new([
        Column::text("time (UTC)"),
        Column::text("what"),
        Column::flexible("file"),
        Column::text("why"),
        Column::text("site"),
        Column::number("size"),
    ]);
    for it in moves {
        let path = String::from_utf8_lossy(&it.path.0).into_owned();
        table.row([
            time_of_day(it.time_ms),
            if it.is_taken { "taken" } else { "given up" }.to_owned(),
            printable(&path).into_owned(),
            why(it),
            printable(&it.site).into_owned(),
            number::bytes(it.size_bytes),
        ]);
    }
    table
}

fn why(it: &Move) -> String {
    let asked = format!("asked for {} times", number::count(it.heat.round() as u64));
    match (it.is_taken, it.heat > 0.0) {
        (true, _) => format!(
            "{asked}; each read from memory saves {}",
            number::duration(it.saved_us)
        ),
        (false, true) => format!("{asked}; other files save more for each page"),
        (false, false) => "nobody asks for it any more".to_owned(),
    }
}

/// Hours, minutes and seconds.
fn time_of_day(ms: u64) -> String {
    let seconds = ms / 1000 % 86_400;
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
