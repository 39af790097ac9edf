//! A plan in the terminal.

use super::view::PlanView;
use super::{curve_notes, headline, order, tables};
use crate::reading::Reading;
use crate::terminal::{paragraph, section, sections, style_lines};
use crate::{Style, number, printable};
use hotset_plan::{SitePlan, Verdict};
use hotset_scenario::PlacedFile;

/// Held files listed for a site; the plan file has all of them.
const FILES_SHOWN: usize = 10;
/// Sites whose files are listed.
const SITES_SHOWN: usize = 5;

/// A plan: what it buys, each way of using the memory side by side, sites, held files, memory.
pub(super) fn text(view: &PlanView, style: Style) -> String {
    let plan = view.plan;
    let paint = match view.verdict() {
        Verdict::Hold | Verdict::Unchanged => Style::good,
        Verdict::Leave => Style::warning,
    };
    let mut text = paragraph(style, &headline::headline(view), paint);
    text += &Reading::new(view.reading, &view.description.time_zone).terminal(style);
    text += &section(style, &scored_on(view), &tables::arms(view).render(style));
    text += &optional_remark(order::reversals(plan), style);
    text += &optional_remark(headline::site_by_site(view), style);
    text += &optional_remark(headline::closed_loop(plan), style);
    text += &optional_remark(headline::rejected(plan), style);
    text += &optional_remark(headline::groups_untried(plan), style);
    text += &optional_remark(headline::not_learnt(view), style);
    text += &sections(
        style,
        [
            ("Targets", tables::targets(plan)),
            ("Memory groups", tables::groups(view)),
        ],
    );
    text += &optional_remark(headline::targets(plan), style);
    text += &section(style, "Nodes", &tables::nodes(view).render(style));
    text += &optional_remark(headline::nodes(view), style);
    if plan.sites.len() > 1 {
        text += &section(style, "Sites", &tables::sites(plan).render(style));
    }
    text += &section(
        style,
        "Responses by percentile",
        &tables::percentiles(plan).render(style),
    );
    text += &changes(view, style);
    text += &held_files_by_site(view, style);
    let curve = tables::curve(view).render(style);
    text += &section(style, "Gain with more or less memory", &curve);
    let notes = curve_notes::notes(plan).join(" ");
    text += &optional_remark(Some(notes).filter(|notes| !notes.is_empty()), style);
    text += &sections(
        style,
        [
            ("Memory needed for a gain", tables::memory_needed(view)),
            ("Best store for each site", tables::stores(view)),
        ],
    );
    text += &optional_remark(headline::bound(plan), style);
    text += &optional_remark(headline::floor(plan), style);
    text + &view.usage.terminal()
}

/// A sentence that stands alone.
fn remark(sentence: &str, style: Style) -> String {
    "\n".to_owned() + &paragraph(style, sentence, Style::faint)
}

fn optional_remark(sentence: Option<String>, style: Style) -> String {
    sentence.map_or_else(String::new, |sentence| remark(&sentence, style))
}

/// What changes to the plan in force.
fn changes(view: &PlanView, style: Style) -> String {
    let (Some(heading), Some(changes)) = (headline::changes(view), &view.changes) else {
        return String::new();
    };
    let hidden = |files: &[&PlacedFile]| files.len().saturating_sub(FILES_SHOWN) as u64;
    let more = match hidden(&changes.added) + hidden(&changes.dropped) {
        0 => String::new(),
        n => format!("… and {} more; --csv lists all\n", number::count(n)),
    };
    let table = tables::changes(view, FILES_SHOWN).render(style);
    let heading = paragraph(style, &heading, Style::strong);
    format!(
        "\n{heading}{table}{}",
        style_lines(style, &more, Style::faint)
    )
}

fn scored_on(view: &PlanView) -> String {
    let accesses = number::counted(view.plan.total.held_out.accesses, "file read", "file reads");
    format!(
        "Scored on the {accesses} held out; misses are read from {}",
        printable(&view.stores())
    )
}

fn held_files_by_site(view: &PlanView, style: Style) -> String {
    let holding = || view.plan.sites.iter().filter(|site| site.held_objects > 0);
    let shown = holding().take(SITES_SHOWN);
    let text: String = shown.map(|site| held_files(view, site, style)).collect();
    match holding().count().saturating_sub(SITES_SHOWN) as u64 {
        0 => text,
        n => {
            let sites = number::counted(n, "more site", "more sites");
            text + &remark(
                &format!("Files of {sites} are held; -o plan.json lists them"),
                style,
            )
        }
    }
}

fn held_files(view: &PlanView, site: &SitePlan, style: Style) -> String {
    let files = number::counted(site.held_objects, "file", "files");
    let heading = format!(
        "{}: {files} to hold, {}",
        printable(&site.site),
        number::bytes(site.held_bytes)
    );
    let table = tables::held_files(view, &site.site, FILES_SHOWN).render(style);
    section(
        style,
        &heading,
        &(table + &style_lines(style, &more(site), Style::faint)),
    )
}

fn more(site: &SitePlan) -> String {
    match site.held_objects.saturating_sub(FILES_SHOWN as u64) {
        0 => String::new(),
        n => format!("… and {} more; -o plan.json lists all\n", number::count(n)),
    }
}
