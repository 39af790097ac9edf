//! A description in the terminal.

use super::headline::headline;
use super::tables::{self, Sites};
use super::view::DescriptionView;
use super::{hours, left_out, not_found};
use crate::reading::Reading;
use crate::terminal::{paragraph, section, sections, wrapped};
use crate::{Style, number};
use hotset_describe::Description;

/// Rows of each list.
const LISTED: usize = 10;
/// Status codes that have a column of their own.
const CODES_SHOWN: usize = 8;

/// The description of a trace: headline, traffic, popularity and sizes per site and in total.
pub(super) fn text(view: &DescriptionView, style: Style) -> String {
    let description = view.description;
    let mut text = paragraph(style, &headline(description), Style::strong);
    text += &Reading::new(view.reading, &description.time_zone).terminal(style);
    if let Some(note) = left_out::note(description) {
        text += &paragraph(style, &note, Style::warning);
    }
    text += &section(style, "Traffic", &traffic(description, style));
    let total = &description.total;
    let rest = [
        ("Responses", tables::responses(description)),
        (
            "Status codes",
            tables::status_codes(description, CODES_SHOWN),
        ),
        ("Methods", tables::methods(description)),
        ("Files", tables::files(description)),
        (
            "Memory for a share of the file reads, and popularity",
            tables::popularity(description),
        ),
        (
            "Popularity of the hottest files alone",
            tables::zipf_of_the_head(description),
        ),
        (
            "Hottest files",
            tables::hottest(description, listed(&total.hottest), Sites::IfSeveral),
        ),
        (
            "Clients with the most requests",
            tables::top_clients(listed(&total.top_clients)),
        ),
    ];
    text += &sections(style, rest);
    text + &section(
        style,
        "Paths most often answered 404",
        &missing(description, style),
    )
}

/// The beginning of a list.
fn listed<T>(list: &[T]) -> &[T] {
    &list[..list.len().min(LISTED)]
}

fn missing(description: &Description, style: Style) -> String {
    let total = &description.total;
    let paths = listed(&total.not_found.paths);
    let text = tables::not_found(description, paths, Sites::IfSeveral).render(style);
    let remark = not_found::remark(total);
    text + &remark.map_or_else(String::new, |remark| {
        paragraph(style, &remark, Style::faint)
    })
}

fn traffic(description: &Description, style: Style) -> String {
    let mut text = tables::traffic(description).render(style);
    if let Some((hour, share)) = hours::busiest(&description.total) {
        let busiest = format!(
            "Busiest hour of the day: {hour:02}:00–{:02}:00 {}, {} of the requests",
            hour + 1,
            description.time_zone,
            number::percent(share)
        );
        text += &wrapped(&busiest, style);
    }
    text
}
