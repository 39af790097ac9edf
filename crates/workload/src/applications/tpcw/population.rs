//! The rows of TPC-W's tables (clause 4.7). Lengths and ranges are those of its columns' definitions.

use std::io;

use super::shop::{SEARCHED_DIGITS, Tpcw};
use crate::applications::dates::{days_ago, days_ahead, moment_of};
use crate::applications::rows::Rows;
use crate::sessions::syllables;

/// Subjects of items (TPC-W, clause 4.7.1).
const SUBJECTS: [&str; 24] = [
    "ARTS",
    "BIOGRAPHIES",
    "BUSINESS",
    "CHILDREN",
    "COMPUTERS",
    "COOKING",
    "HEALTH",
    "HISTORY",
    "HOME",
    "HUMOR",
    "LITERATURE",
    "MYSTERY",
    "NON-FICTION",
    "PARENTING",
    "POLITICS",
    "REFERENCE",
    "RELIGION",
    "ROMANCE",
    "SELF-HELP",
    "SCIENCE-NATURE",
    "SCIENCE-FICTION",
    "SPORTS",
    "YOUTH",
    "TRAVEL",
];
const BACKINGS: [&str; 5] = ["HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION"];
const SHIP_TYPES: [&str; 6] = ["AIR", "UPS", "FEDEX", "SHIP", "COURIER", "MAIL"];
const STATUSES: [&str; 4] = ["PROCESSING", "SHIPPED", "PENDING", "DENIED"];
const CARDS: [&str; 5] = ["VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS"];
/// Countries (TPC-W, clause 4.7.4).
const COUNTRIES: u64 = 92;
/// Lines of an order.
const LINES: std::ops::RangeInclusive<u64> = 1..=5;
const YEAR: u64 = 365;

/// Writes the rows of the table of this name; those of carts come with visitors.
pub(super) fn fill(shop: &Tpcw, table: &str, rows: &mut Rows<'_>) -> io::Result<()> {
    match table {
        "country" => (1..=COUNTRIES).try_for_each(|id| country(id, rows)),
        "author" => (1..=shop.authors()).try_for_each(|id| author(shop, id, rows)),
        "item" => (1..=shop.items).try_for_each(|id| item(shop, id, rows)),
        "address" => (1..=shop.addresses()).try_for_each(|id| address(id, rows)),
        "customer" => (1..=shop.customers).try_for_each(|id| customer(shop, id, rows)),
        "orders" => (1..=shop.orders()).try_for_each(|id| order(shop, id, rows)),
        "order_line" => (1..=shop.orders()).try_for_each(|id| order_lines(shop, id, rows)),
        "cc_xacts" => (1..=shop.orders()).try_for_each(|id| payment(id, rows)),
        _ => Ok(()),
    }
}

fn country(id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let exchange = rows.number(1..=9_999_999) as f64 / 1e6;
    let currency = rows.letters(4..=18);
    rows.write(format_args!(
        "{id}\tCountry {id}\t{exchange:.6}\t{currency}"
    ))
}

fn author(shop: &Tpcw, id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let first = rows.letters(3..=20);
    let last = name(id, shop.author_names(), rows, 20);
    let middle = rows.letters(1..=20);
    let born = days_ago(rows.number(20 * YEAR..=100 * YEAR));
    let bio = rows.words(125..=500);
    rows.write(format_args!(
        "{id}\t{first}\t{last}\t{middle}\t{born}\t{bio}"
    ))
}

/// A text that begins with syllables by which it is searched, of so many that are dealt in turn.
fn name(id: u64, names: u64, rows: &mut Rows<'_>, most: usize) -> String {
    let searched = syllables((id - 1) % names + 1, usize::from(SEARCHED_DIGITS));
    let room = most - searched.len();
    let rest = rows.letters(room.min(1)..=room);
    searched + rest
}

fn item(shop: &Tpcw, id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let title = name(id, shop.title_names(), rows, 60);
    // Each author has an item.
    let author = match id <= shop.authors() {
        true => id,
        false => rows.number(1..=shop.authors()),
    };
    let age = rows.number(0..=70 * YEAR);
    let (published, available) = (
        days_ago(age),
        days_ago(age.saturating_sub(rows.number(1..=30))),
    );
    let publisher = rows.words(14..=60);
    let subject = rows.one_of(&SUBJECTS);
    let description = rows.words(100..=500);
    let related = [(); 5].map(|()| other_item(shop, id, rows));
    let [one, two, three, four, five] = related;
    let price = rows.amount(100..=999_999);
    let cost = price * (1.0 - rows.number(0..=50) as f64 / 100.0);
    let stock = rows.number(10..=30);
    let isbn = rows.letters(13..=13);
    let pages = rows.number(20..=9999);
    let backing = rows.one_of(&BACKINGS);
    let sides = [(); 3].map(|()| rows.amount(1..=9999));
    let [long, wide, high] = sides;
    let folder = id % 100;
    rows.write(format_args!(
        "{id}\t{title}\t{author}\t{published}\t{publisher}\t{subject}\t{description}\t{one}\t{two}\t{three}\t{four}\t{five}\
         \timages/{folder}/thumb_{id}.gif\timages/{folder}/image_{id}.gif\t{price:.2}\t{cost:.2}\t{available}\t{stock}\t{isbn}\
         \t{pages}\t{backing}\t{long:.2}x{wide:.2}x{high:.2}"
    ))
}

/// Another item, where there is one.
fn other_item(shop: &Tpcw, id: u64, rows: &mut Rows<'_>) -> u64 {
    let distance = rows.number(1..=shop.items.saturating_sub(1).max(1));
    (id - 1 + distance) % shop.items + 1
}

fn address(id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let (one, two) = (rows.words(15..=40), rows.words(15..=40));
    let (city, state, zip) = (
        rows.letters(4..=30),
        rows.letters(2..=20),
        rows.letters(5..=10),
    );
    let country = rows.number(1..=COUNTRIES);
    rows.write(format_args!(
        "{id}\t{one}\t{two}\t{city}\t{state}\t{zip}\t{country}"
    ))
}

fn customer(shop: &Tpcw, id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let user = syllables(id, 0);
    let password = user.to_ascii_lowercase();
    let (first, last) = (rows.letters(8..=15), rows.letters(8..=15));
    let address = rows.number(1..=shop.addresses());
    let phone = rows.number(100_000_000..=9_999_999_999_999_999);
    let host = rows.letters(2..=9);
    let since = rows.number(1..=730);
    let visit = since.saturating_sub(rows.number(0..=60));
    let (since, visit) = (days_ago(since), days_ago(visit));
    let (login, expires) = (moment_of(visit, rows), moment_of(days_ahead(1), rows));
    let discount = rows.amount(0..=5000);
    let paid = rows.amount(0..=99_999);
    let born = days_ago(rows.number(18 * YEAR..=100 * YEAR));
    let data = rows.words(100..=500);
    rows.write(format_args!(
        "{id}\t{user}\t{password}\t{first}\t{last}\t{address}\t{phone}\t{user}@{host}.com\t{since}\t{visit}\t{login}\t{expires}\
         \t{discount:.2}\t0.00\t{paid:.2}\t{born}\t{data}"
    ))
}

/// Days after an order that it is shipped at most.
const SHIPPED_WITHIN: u64 = 7;

fn order(shop: &Tpcw, id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let customer = rows.number(1..=shop.customers);
    let age = rows.number(1..=60);
    let shipped = days_ago(age.saturating_sub(rows.number(0..=SHIPPED_WITHIN)));
    let (ordered, shipped) = (moment_of(days_ago(age), rows), moment_of(shipped, rows));
    let net = rows.amount(1000..=999_999);
    let (tax, total) = (net * 0.0825, net * 1.0825 + 3.0);
    let ship_type = rows.one_of(&SHIP_TYPES);
    let bill = rows.number(1..=shop.addresses());
    let ship = rows.number(1..=shop.addresses());
    let status = rows.one_of(&STATUSES);
    rows.write(format_args!(
        "{id}\t{customer}\t{ordered}\t{net:.2}\t{tax:.2}\t{total:.2}\t{ship_type}\t{shipped}\t{bill}\t{ship}\t{status}"
    ))
}

fn order_lines(shop: &Tpcw, order: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    for line in 1..=rows.number(LINES) {
        let item = rows.number(1..=shop.items);
        let count = rows.number(1..=300);
        let discount = rows.amount(0..=3);
        let comments = rows.words(20..=100);
        rows.write(format_args!(
            "{line}\t{order}\t{item}\t{count}\t{discount:.2}\t{comments}"
        ))?;
    }
    Ok(())
}

fn payment(order: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let card = rows.one_of(&CARDS);
    let number = rows.number(1_000_000_000_000_000..=9_999_999_999_999_999);
    let holder = rows.letters(14..=30);
    let expires = days_ahead(rows.number(10..=730));
    let permission = rows.letters(15..=15);
    let amount = rows.amount(1000..=999_999);
    let paid = days_ago(rows.number(1..=60));
    let paid = moment_of(paid, rows);
    let country = rows.number(1..=COUNTRIES);
    rows.write(format_args!(
        "{order}\t{card}\t{number}\t{holder}\t{expires}\t{permission}\t{amount:.2}\t{paid}\t{country}"
    ))
}
