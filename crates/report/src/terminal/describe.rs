//! `hotset describe`.

use super::{reading, section, style_lines, wrapped};
use crate::view::Reading;
use crate::{Style, headline, tables};
use hotset_describe::Description;

/// Most read files listed.
const FILES_SHOWN: usize = 10;

/// The description of a trace: headline, traffic, popularity and sizes per site and in total.
pub fn describe(description: &Description, read: &Reading, style: Style) -> String {
    let mut text = style_lines(
        style,
        &wrapped(&headline::describe(description), style),
        Style::strong,
    );
    text += &reading(read, style);
    let several = description.sites.len() > 1;
    for (heading, table) in [
        ("Traffic", tables::traffic(description)),
        ("Responses", tables::responses(description)),
        ("Files", tables::files(description)),
        (
            "Memory for a share of the file reads; popularity",
            tables::popularity(description),
        ),
        (
            "Most read files",
            tables::hottest(&description.total, FILES_SHOWN, several),
        ),
    ] {
        text += &section(style, heading, &table.render(style));
    }
    text
}
