//! The rows of RUBiS's tables. Sizes and shares are those of its `rubis.properties`.

use std::io;
use std::ops::RangeInclusive;

use super::site::{CATEGORIES, REGIONS, Rubis};
use crate::applications::dates::{days_ago, days_ahead, moment_of};
use crate::applications::rows::Rows;

/// Characters of descriptions and of comments.
const DESCRIPTION: RangeInclusive<usize> = 7000..=8000;
const COMMENT: RangeInclusive<usize> = 200..=2000;
/// Most bids for an item.
const MOST_BIDS: u64 = 20;
/// Shares of items of which there is one, that have a lowest price, and that can be bought at once.
const UNIQUE: f64 = 0.8;
const RESERVED: f64 = 0.4;
const BUY_NOW: f64 = 0.1;
/// Days that an auction lasts at most.
const AUCTION_DAYS: u64 = 7;

/// Writes the rows of the table of this name; purchases come with visitors.
pub(super) fn fill(site: &Rubis, table: &str, rows: &mut Rows<'_>) -> io::Result<()> {
    match table {
        "regions" => (1..=REGIONS).try_for_each(|id| rows.write(format_args!("{id}\tregion {id}"))),
        "categories" => {
            (1..=CATEGORIES).try_for_each(|id| rows.write(format_args!("{id}\tcategory {id}")))
        }
        "users" => (1..=site.users).try_for_each(|id| user(id, rows)),
        "items" => site.being_sold().try_for_each(|id| {
            let begun = rows.number(0..=AUCTION_DAYS);
            item(site, id, begun, rows)
        }),
        "old_items" => (1..=site.old_items).try_for_each(|id| {
            let begun = AUCTION_DAYS + rows.number(1..=365);
            item(site, id, begun, rows)
        }),
        "bids" => bids(site, rows),
        "comments" => (1..=*site.being_sold().end()).try_for_each(|id| comment(site, id, rows)),
        _ => Ok(()),
    }
}

fn user(id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let rating = rows.number(0..=10) as i64 - 5;
    let created = rows.number(1..=730);
    let created = moment_of(days_ago(created), rows);
    let region = rows.number(1..=REGIONS);
    rows.write(format_args!(
        "{id}\tGreat{id}\tUser{id}\tuser{id}\tpassword{id}\tGreat{id}.User{id}@rubis.com\t{rating}\t0.00\t{created}\t{region}"
    ))
}

fn item(site: &Rubis, id: u64, begun: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let description = rows.words(DESCRIPTION);
    let price = rows.number(1..=5000);
    let quantity = match rows.chance(UNIQUE) {
        true => 1,
        false => rows.number(2..=10),
    };
    let reserve = match rows.chance(RESERVED) {
        true => price + rows.number(0..=1000),
        false => 0,
    };
    let at_once = match rows.chance(BUY_NOW) {
        true => price + rows.number(0..=1000),
        false => 0,
    };
    let bids = bids_for(id);
    let highest = price + bids * rows.number(1..=10);
    let start = moment_of(days_ago(begun), rows);
    // Auctions of a population that is older than its visitors are still under way.
    let end = match begun > AUCTION_DAYS {
        true => moment_of(days_ago(begun - AUCTION_DAYS), rows),
        false => moment_of(days_ahead(100 * 365), rows),
    };
    let seller = rows.number(1..=site.users);
    let category = rows.number(1..=CATEGORIES);
    rows.write(format_args!(
        "{id}\tRUBiS item {id}\t{description}\t{price}.00\t{quantity}\t{reserve}.00\t{at_once}.00\t{bids}\t{highest}.00\t{start}\t{end}\
         \t{seller}\t{category}"
    ))
}

/// How many bids there are for an item, each number as likely: two tables say so.
fn bids_for(item: u64) -> u64 {
    // Multiplication by the golden ratio spreads numbers that follow one another (Knuth, volume 3, section 6.4).
    (item.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % (MOST_BIDS + 1)
}

/// Bids for what is being sold: those for what was sold are not looked at by any page.
fn bids(site: &Rubis, rows: &mut Rows<'_>) -> io::Result<()> {
    let mut id = 0;
    for item in site.being_sold() {
        for _ in 0..bids_for(item) {
            id += 1;
            let user = rows.number(1..=site.users);
            let bid = rows.number(1..=6000);
            let most = bid + rows.number(0..=100);
            let date = moment_of(days_ago(1), rows);
            rows.write(format_args!(
                "{id}\t{user}\t{item}\t1\t{bid}.00\t{most}.00\t{date}"
            ))?;
        }
    }
    Ok(())
}

fn comment(site: &Rubis, id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let (from, to) = (rows.number(1..=site.users), rows.number(1..=site.users));
    let rating = rows.one_of(&[-5_i64, -3, 0, 3, 5]);
    let date = rows.number(1..=365);
    let date = moment_of(days_ago(date), rows);
    let text = rows.words(COMMENT);
    rows.write(format_args!(
        "{id}\t{from}\t{to}\t{id}\t{rating}\t{date}\t{text}"
    ))
}
