//! The tables of a description for spreadsheets.

use super::tables;
use super::view::DescriptionView;
use crate::Table;

pub(super) fn sheets(view: &DescriptionView) -> Vec<(&'static str, Table)> {
    let of = view.description;
    vec![
        ("traffic", tables::traffic(of)),
        ("responses", tables::responses(of)),
        ("status-codes", tables::status_codes(of, usize::MAX)),
        ("methods", tables::methods(of)),
        ("files", tables::files(of)),
        ("memory", tables::popularity(of)),
        ("head", tables::zipf_of_the_head(of)),
        ("hottest-files", tables::hottest(of, &of.lists.hottest)),
        ("clients", tables::top_clients(&of.lists.top_clients)),
        ("not-found", tables::not_found(of, &of.lists.not_found)),
    ]
}
