//! A description in the terminal.

use super::headline::headline;
use super::view::DescriptionView;
use super::{hours, tables};
use crate::reading::Reading;
use crate::terminal::{paragraph, section, sections};
use crate::{Style, number};
use hotset_describe::Description;

/// Most read files listed.
const FILES_SHOWN: usize = 10;

/// The description of a trace: headline, traffic, popularity and sizes per site and in total.
pub(super) fn text(view: &DescriptionView, style: Style) -> String {
    let description = view.description;
    let mut text = paragraph(style, &headline(description), Style::strong);
    text += &Reading::from(view.reading).terminal(style);
    text += &section(style, "Traffic", &traffic(description, style));
    let several = description.sites.len() > 1;
    let rest = [
        ("Responses", tables::responses(description)),
        ("Files", tables::files(description)),
        (
            "Memory for a share of the file reads, and popularity",
            tables::popularity(description),
        ),
        (
            "Popularity of the hottest files alone",
            tables::zipf_of_the_head(description).unwrap_or_default(),
        ),
        (
            "Hottest files",
            tables::hottest(&description.total, FILES_SHOWN, several),
        ),
    ];
    text + &sections(style, rest)
}

fn traffic(description: &Description, style: Style) -> String {
    let mut text = tables::traffic(description).render(style);
    if let Some((hour, share)) = hours::busiest(&description.total) {
        text += &format!(
            "Busiest hour of the day: {hour:02}:00–{:02}:00 UTC, {} of the requests\n",
            hour + 1,
            number::percent(share)
        );
    }
    text
}
