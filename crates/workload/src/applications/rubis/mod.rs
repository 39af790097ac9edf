//! RUBiS: an auction site with 27 pages.
//!
//! The tables of transitions are those of its distribution (`workload/default_transitions.txt`, which bids, and
//! `transitions.txt`, which only browses), column by column.

use super::application::Application;
use super::emulator::{letters, mixes_of, numbers};
use crate::sessions::{Field, Mix};

/// What follows each page, by mix.
const TABLES: [(&str, &str); 2] = [
    ("bidding", include_str!("bidding.table")),
    ("browsing", include_str!("browsing.table")),
];

/// Regions of the distribution's `ebay_regions.txt`.
const REGIONS: u64 = 62;
/// Categories of its `ebay_simple_categories.txt`.
const CATEGORIES: u64 = 20;

/// The auction site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rubis {
    /// Users.
    pub users: u64,
    /// Items that are being sold.
    pub items: u64,
    /// Items that were sold.
    pub old_items: u64,
}

impl Rubis {
    fn fields(&self, page: &str) -> Vec<Field> {
        let user = || numbers("user", 1, self.users);
        let item = || numbers("item", 1, self.items);
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
                vec![numbers("to", 1, self.users), item(), user()]
            }
            "store_comment" => vec![
                numbers("to", 1, self.users),
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
}

impl Application for Rubis {
    fn name(&self) -> &'static str {
        "rubis"
    }

    fn mixes(&self) -> Vec<Mix> {
        mixes_of(&TABLES, |page| self.fields(page))
    }
}
