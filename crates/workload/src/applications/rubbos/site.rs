//! How large the news site of RUBBoS is.

use std::ops::RangeInclusive;

use crate::applications::engine::Engine;

/// Authors among the users.
pub const AUTHORS: u64 = 50;
/// Categories of stories.
pub(super) const CATEGORIES: u64 = 20;
/// Comments of a story, on average.
pub(super) const COMMENTS: u64 = 20;

/// Users of its distribution, its stories of the last month, and those of two years before.
const USERS: u64 = 500_000;
const STORIES: u64 = 600;
const OLD_STORIES: u64 = 14_600;

/// What the tables take with their indexes. A story comes with its mean number of comments.
struct TableBytes {
    tables: f64,
    user: f64,
    story: f64,
}

/// Measured of class 1, and of class 2 for InnoDB (MariaDB 10.11, Debian 12, 2026). InnoDB's tables have pages in reserve.
fn table_bytes(engine: Engine) -> TableBytes {
    let [tables, user, story, comment] = match engine {
        Engine::Innodb => [3e6, 136.0, 6150.0, 1370.0],
        Engine::Myisam => [0.0, 104.0, 4775.0, 1189.0],
        Engine::Aria => [0.0, 113.0, 6056.0, 1443.0],
    };
    TableBytes {
        tables,
        user,
        story: story + COMMENTS as f64 * comment,
    }
}

/// Stories that wait for an author, a hundredth of the new ones.
const SUBMITTED: u64 = 100;

/// The news site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rubbos {
    /// Users, the first of whom are authors.
    pub users: u64,
    /// Stories that can be commented.
    pub stories: u64,
    /// Stories that are kept.
    pub old_stories: u64,
}

impl Rubbos {
    /// The site whose tables take about so many bytes: its counts are to each other as in the distribution, but for the stories
    /// that can be commented where those are given.
    pub fn of_bytes(bytes: u64, stories: Option<u64>, engine: Engine) -> Rubbos {
        let whole = Rubbos {
            users: USERS,
            stories: STORIES,
            old_stories: OLD_STORIES,
        };
        let room = bytes as f64 - table_bytes(engine).tables;
        let share = room.max(0.0) / whole.row_bytes(engine);
        let part = |count: u64| ((count as f64 * share).round() as u64).max(1);
        Rubbos {
            users: part(USERS),
            stories: stories.unwrap_or_else(|| part(STORIES)),
            old_stories: part(OLD_STORIES),
        }
    }

    /// What its tables are estimated to take.
    pub fn estimated_bytes(&self, engine: Engine) -> u64 {
        (table_bytes(engine).tables + self.row_bytes(engine)).round() as u64
    }

    /// Numbers of the stories that can be commented: behind those that are kept, so that new ones have numbers of their own.
    pub(super) fn new_stories(&self) -> RangeInclusive<u64> {
        self.old_stories + 1..=self.old_stories + self.stories
    }

    /// Stories that wait for an author.
    pub(super) fn submissions(&self) -> u64 {
        self.stories.div_ceil(SUBMITTED)
    }

    fn row_bytes(&self, engine: Engine) -> f64 {
        let of = table_bytes(engine);
        let stories = (self.stories + self.old_stories) as f64;
        self.users as f64 * of.user + stories * of.story
    }
}
