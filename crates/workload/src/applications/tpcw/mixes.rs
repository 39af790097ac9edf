//! The three mixes of TPC-W.

use std::time::Duration;

use super::shop::{SEARCHED_DIGITS, Tpcw};
use crate::sessions::{
    Field, Mix, Next, NuRand, PageType, SessionLength, Spelling, ThinkTime, Transition, Value,
};

/// What thresholds are of: the emulator draws a number from 1 to 9999.
const THRESHOLDS_OF: u32 = 9999;
/// Think time (TPC-W, clause 5.3.2): mean and longest.
const THINK: [Duration; 2] = [Duration::from_secs(7), Duration::from_secs(70)];
/// Length of sessions (TPC-W, clause 6.2.1): mean and longest.
const SESSION: [Duration; 2] = [Duration::from_secs(15 * 60), Duration::from_secs(60 * 60)];
/// The share of visitors who are customers already (TPC-W, clause 2.3.3).
const KNOWN: f64 = 0.8;

/// Names of the mixes, in the order of the columns below.
const MIXES: [&str; 3] = ["browsing", "shopping", "ordering"];

/// Names of the pages, the first page of a session first.
const HOME: &str = "home";
const NEW: &str = "new_products";
const BEST: &str = "best_sellers";
const PRODUCT: &str = "product_detail";
const SEARCH: &str = "search_request";
const RESULTS: &str = "search_results";
const CART: &str = "shopping_cart";
const REGISTER: &str = "customer_registration";
const BUY: &str = "buy_request";
const CONFIRM: &str = "buy_confirm";
const INQUIRY: &str = "order_inquiry";
const DISPLAY: &str = "order_display";
const ADMIN: &str = "admin_request";
const ADMIN_CONFIRM: &str = "admin_confirm";

/// A page, the pages that follow it, and the thresholds of each mix.
type Row = (&'static str, &'static [&'static str], [&'static [u32]; 3]);

/// Transitions of TPC-W, clause 5.3.1.1: a page follows if the number drawn is at most its threshold and above that before.
const TRANSITIONS: [Row; 14] = [
    (
        HOME,
        &[BEST, NEW, INQUIRY, SEARCH, CART],
        [
            &[3792, 7585, 7688, 9559, 9999],
            &[3124, 6249, 6718, 7026, 9999],
            &[499, 999, 1269, 1295, 9999],
        ],
    ),
    (
        NEW,
        &[HOME, PRODUCT, SEARCH, CART],
        [
            &[299, 9867, 9941, 9999],
            &[156, 9735, 9784, 9999],
            &[504, 9942, 9976, 9999],
        ],
    ),
    (
        BEST,
        &[HOME, PRODUCT, SEARCH, CART],
        [
            &[4607, 5259, 9942, 9999],
            &[167, 472, 9927, 9999],
            &[1, 333, 9998, 9999],
        ],
    ),
    (
        PRODUCT,
        &[ADMIN, HOME, PRODUCT, SEARCH, CART],
        [
            &[47, 8346, 9749, 9890, 9999],
            &[58, 832, 1288, 8603, 9999],
            &[99, 3750, 5621, 6341, 9999],
        ],
    ),
    (
        SEARCH,
        &[HOME, RESULTS, CART],
        [&[788, 9955, 9999], &[635, 9135, 9999], &[815, 9815, 9999]],
    ),
    (
        RESULTS,
        &[HOME, PRODUCT, SEARCH, CART],
        [
            &[3674, 9868, 9942, 9999],
            &[2657, 9294, 9304, 9999],
            &[486, 7817, 9998, 9999],
        ],
    ),
    (
        CART,
        &[REGISTER, HOME, CART],
        [
            &[4099, 8883, 9999],
            &[2585, 9552, 9999],
            &[9499, 9918, 9999],
        ],
    ),
    (
        REGISTER,
        &[BUY, HOME, SEARCH],
        [
            &[9145, 9619, 9999],
            &[8666, 8760, 9999],
            &[9899, 9901, 9999],
        ],
    ),
    (
        BUY,
        &[CONFIRM, HOME, CART],
        [
            &[9199, 9595, 9999],
            &[4614, 6546, 9999],
            &[7999, 9453, 9999],
        ],
    ),
    (
        CONFIRM,
        &[HOME, SEARCH],
        [&[342, 9999], &[84, 9999], &[2, 9999]],
    ),
    (
        INQUIRY,
        &[HOME, DISPLAY, SEARCH],
        [&[523, 8856, 9999], &[72, 8872, 9999], &[1168, 9968, 9999]],
    ),
    (
        DISPLAY,
        &[HOME, SEARCH],
        [&[802, 9999], &[69, 9999], &[9939, 9999]],
    ),
    (
        ADMIN,
        &[ADMIN_CONFIRM, HOME],
        [&[8999, 9999], &[8999, 9999], &[8999, 9999]],
    ),
    (
        ADMIN_CONFIRM,
        &[HOME, SEARCH],
        [&[9877, 9999], &[9952, 9999], &[8348, 9999]],
    ),
];

/// Browsing, shopping and ordering, for the shop's customers and items.
pub(super) fn mixes(shop: &Tpcw) -> Vec<Mix> {
    let mix = |(number, name): (usize, &&str)| Mix {
        name: (*name).to_owned(),
        think: time(THINK),
        session: SessionLength {
            time: Some(time(SESSION)),
            // A session that is over ends where its visitor would go home, so that no page is asked for more often.
            ends_at: place(HOME),
            most_pages: None,
        },
        shares_of: THRESHOLDS_OF.into(),
        pages: TRANSITIONS
            .iter()
            .map(|row| page(shop, row, number))
            .collect(),
    };
    MIXES.iter().enumerate().map(mix).collect()
}

fn time([mean, most]: [Duration; 2]) -> ThinkTime {
    ThinkTime { mean, most }
}

fn place(name: &str) -> Option<usize> {
    TRANSITIONS.iter().position(|(page, _, _)| *page == name)
}

fn page(shop: &Tpcw, (name, next, thresholds): &Row, mix: usize) -> PageType {
    let mut before = 0;
    let transition = |(to, threshold): (&&str, &u32)| {
        let share = threshold - std::mem::replace(&mut before, *threshold);
        let to = place(to).map(Next::Page)?;
        let share = share.into();
        Some(Transition { to, share })
    };
    PageType {
        name: (*name).to_owned(),
        path: format!("/{name}.php"),
        fields: fields(shop, name),
        next: next
            .iter()
            .zip(thresholds[mix])
            .filter_map(transition)
            .collect(),
    }
}

/// What is filled in on the way to a page.
fn fields(shop: &Tpcw, page: &str) -> Vec<Field> {
    let customers = NuRand::of_customers(shop.customers);
    let field = |name: &str, value: Value| Field {
        name: name.to_owned(),
        share: 1.0,
        value,
    };
    let letters = |name: &str, from: usize, to: usize| field(name, Value::Letters(from, to));
    let syllables = |name: &str, most: u64| {
        let numbers = Value::Numbers(1, most.max(1), Spelling::Syllables(SEARCHED_DIGITS));
        field(name, numbers)
    };
    let account = || {
        let name = Value::NuRand(customers, Spelling::Syllables(0));
        [
            field("uname", name),
            field("passwd", Value::SameAs("uname".to_owned())),
        ]
    };
    match page {
        HOME => vec![Field {
            share: KNOWN,
            ..field("c_id", Value::NuRand(customers, Spelling::Digits))
        }],
        PRODUCT | ADMIN => {
            vec![field(
                "i_id",
                Value::Numbers(1, shop.items, Spelling::Digits),
            )]
        }
        RESULTS => vec![
            syllables("author", shop.author_names()),
            syllables("title", shop.title_names()),
        ],
        BUY => account().into_iter().chain(new_customer(letters)).collect(),
        CONFIRM => vec![
            field(
                "cc_number",
                Value::Numbers(CARDS.0, CARDS.1, Spelling::Digits),
            ),
            letters("cc_name", 14, 30),
        ],
        DISPLAY => account().into(),
        ADMIN_CONFIRM => vec![field(
            "cost",
            Value::Numbers(1, MOST_COST, Spelling::Digits),
        )],
        _ => Vec::new(),
    }
}

/// Numbers of cards have 16 digits.
const CARDS: (u64, u64) = (1_000_000_000_000_000, 9_999_999_999_999_999);
/// Highest price of an item (TPC-W, clause 4.7.1).
const MOST_COST: u64 = 9999;

/// What a visitor says who becomes a customer (TPC-W, clause 2.6.1).
fn new_customer(letters: impl Fn(&str, usize, usize) -> Field) -> Vec<Field> {
    vec![
        letters("fname", 8, 15),
        letters("lname", 8, 15),
        letters("street1", 15, 40),
        letters("street2", 15, 40),
        letters("city", 4, 30),
        letters("state", 2, 20),
        letters("zip", 5, 10),
        letters("phone", 9, 16),
        letters("email", 8, 40),
        letters("data", 100, 500),
    ]
}
