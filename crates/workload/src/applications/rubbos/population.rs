//! The rows of RUBBoS's tables. Its data was a download; lengths are those of its `rubbos.properties`.

use std::io;
use std::ops::RangeInclusive;

use super::site::{AUTHORS, CATEGORIES, COMMENTS, Rubbos};
use crate::applications::dates::{days_ago, moment_of};
use crate::applications::rows::Rows;

/// Characters of stories and of comments.
const BODY: RangeInclusive<usize> = 1000..=8000;
const COMMENT: RangeInclusive<usize> = 100..=2000;
/// Days that stories are new, and that they are kept.
const NEW_DAYS: u64 = 30;
const KEPT_DAYS: u64 = 730;

/// Writes the rows of the table of this name; the log of moderators comes with visitors.
pub(super) fn fill(site: &Rubbos, table: &str, rows: &mut Rows<'_>) -> io::Result<()> {
    match table {
        "categories" => {
            (1..=CATEGORIES).try_for_each(|id| rows.write(format_args!("{id}\tcategory {id}")))
        }
        "users" => (1..=site.users).try_for_each(|id| user(id, rows)),
        "stories" => stories(site, site.new_stories(), 1..=NEW_DAYS, rows),
        "old_stories" => stories(site, 1..=site.old_stories, NEW_DAYS + 1..=KEPT_DAYS, rows),
        "submissions" => stories(site, 1..=site.submissions(), 0..=1, rows),
        "comments" => comments(site, site.new_stories(), rows),
        "old_comments" => comments(site, 1..=site.old_stories, rows),
        _ => Ok(()),
    }
}

fn user(id: u64, rows: &mut Rows<'_>) -> io::Result<()> {
    let rating = rows.number(0..=20) as i64 - 10;
    let access = u64::from(id <= AUTHORS);
    let created = rows.number(1..=KEPT_DAYS);
    let created = moment_of(days_ago(created), rows);
    rows.write(format_args!(
        "{id}\tGreat{id}\tUser{id}\tuser{id}\tpassword{id}\tuser{id}@rubbos.com\t{rating}\t{access}\t{created}"
    ))
}

/// Stories of these numbers, as old as this.
fn stories(
    site: &Rubbos,
    numbers: RangeInclusive<u64>,
    age_days: RangeInclusive<u64>,
    rows: &mut Rows<'_>,
) -> io::Result<()> {
    for id in numbers {
        let (title, body) = (rows.words(20..=60), rows.words(BODY));
        let age = rows.number(age_days.clone());
        let date = moment_of(days_ago(age), rows);
        let writer = rows.number(1..=site.users);
        let category = rows.number(1..=CATEGORIES);
        rows.write(format_args!(
            "{id}\t{title}\t{body}\t{date}\t{writer}\t{category}"
        ))?;
    }
    Ok(())
}

/// Comments of the stories of these numbers. One in two answers the one before.
fn comments(site: &Rubbos, stories: RangeInclusive<u64>, rows: &mut Rows<'_>) -> io::Result<()> {
    let mut id = 0;
    for story in stories {
        let of_story = rows.number(0..=2 * COMMENTS);
        for number in 1..=of_story {
            id += 1;
            let is_answer = number % 2 == 0;
            let parent = if is_answer { id - 1 } else { 0 };
            let childs = u64::from(!is_answer && number < of_story);
            let writer = rows.number(1..=site.users);
            let rating = rows.number(0..=6) as i64 - 1;
            let age = rows.number(1..=NEW_DAYS);
            let date = moment_of(days_ago(age), rows);
            let (subject, text) = (rows.words(10..=60), rows.words(COMMENT));
            rows.write(format_args!(
                "{id}\t{writer}\t{story}\t{parent}\t{childs}\t{rating}\t{date}\t{subject}\t{text}"
            ))?;
        }
    }
    Ok(())
}
