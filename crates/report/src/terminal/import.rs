//! `hotset import`.

use super::{reading, style_lines, wrapped};
use crate::view::Reading;
use crate::{Style, number};
use hotset_trace::folder::Manifest;

/// What was imported into the folder called `folder`, and what was left out.
pub fn import(manifest: &Manifest, folder: &str, read: &Reading, style: Style) -> String {
    let connections = manifest
        .connections
        .map_or_else(String::new, |connections| {
            format!(
                " over {}",
                number::counted(connections, "connection", "connections")
            )
        });
    let headline = format!(
        "{folder}: {} ({} of them file reads) by {}{connections} for {}.",
        number::counted(manifest.requests, "request", "requests"),
        number::count(manifest.accesses),
        number::counted(manifest.clients, "client", "clients"),
        number::counted(manifest.objects, "file", "files"),
    );
    style_lines(style, &wrapped(&headline, style), Style::strong) + &reading(read, style)
}
