//! The mixes of RUBiS.

use super::site::{CATEGORIES, REGIONS, Rubis};
use crate::applications::emulator::{letters, mixes_of, numbers};
use crate::sessions::{Field, Mix};

/// What follows each page, by mix: `workload/default_transitions.txt` of its distribution, which bids, and `transitions.txt`, which
/// only browses; column by column.
const TABLES: [(&str, &str); 2] = [
    ("bidding", include_str!("bidding.table")),
    ("browsing", include_str!("browsing.table")),
];

pub(super) fn mixes(site: &Rubis) -> Vec<Mix> {
    mixes_of(&TABLES, |page| fields(site, page))
}

fn fields(site: &Rubis, page: &str) -> Vec<Field> {
    let user = || numbers("user", 1, site.users);
    let items = site.being_sold();
    let item = || numbers("item", *items.start(), *items.end());
    match page {
        "register_user" => vec![
            letters("first_name", 8, 15),
            letters("last_name", 8, 15),
            letters("nickname", 12, 16),
            letters("password", 8, 12),
            numbers("region", 1, REGIONS),
        ],
        "search_items_in_category" => vec![numbers("category", 1, CATEGORIES)],
        "browse_categories_in_region" => vec![numbers("region", 1, REGIONS)],
        "search_items_in_region" => {
            vec![
                numbers("category", 1, CATEGORIES),
                numbers("region", 1, REGIONS),
            ]
        }
        "view_item" | "view_bid_history" | "buy_now_auth" | "put_bid_auth" => vec![item()],
        "view_user_info" => vec![user()],
        "buy_now" | "put_bid" => vec![item(), user()],
        "store_buy_now" => vec![item(), user(), numbers("quantity", 1, 10)],
        "store_bid" => vec![
            item(),
            user(),
            numbers("more", 1, 10),
            numbers("quantity", 1, 10),
        ],
        "put_comment_auth" | "put_comment" => {
            vec![numbers("to", 1, site.users), item(), user()]
        }
        "store_comment" => vec![
            numbers("to", 1, site.users),
            item(),
            user(),
            numbers("rating", 0, 10),
            letters("comment", 200, 2000),
        ],
        "select_category_to_sell_item" | "about_me" => vec![user()],
        "sell_item_form" => vec![user(), numbers("category", 1, CATEGORIES)],
        "register_item" => vec![
            user(),
            numbers("category", 1, CATEGORIES),
            letters("name", 10, 40),
            letters("description", 200, 8000),
            numbers("price", 1, 5000),
        ],
        _ => Vec::new(),
    }
}
