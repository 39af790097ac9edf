//! The tables of a description for spreadsheets.

use super::tables::{self, Sites};
use super::view::DescriptionView;
use crate::Table;

pub(super) fn sheets(view: &DescriptionView) -> Vec<(&'static str, Table)> {
    let of = view.description;
    vec![
        ("traffic", tables::traffic(of)),
        ("responses", tables::responses(of)),
        ("status-codes", tables::statuses(of)),
        ("methods", tables::methods(of)),
        ("files", tables::files(of)),
        ("memory", tables::popularity(of)),
        ("head", tables::zipf_of_the_head(of)),
        (
            "hottest-files",
            tables::hottest(of, &of.lists.hottest, Sites::Always),
        ),
        ("clients", tables::top_clients(&of.lists.top_clients)),
        (
            "not-found",
            tables::not_found(of, &of.lists.not_found, Sites::Always),
        ),
    ]
}
