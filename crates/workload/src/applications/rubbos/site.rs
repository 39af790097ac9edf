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

/// Bytes of a row with its indexes, in tables of InnoDB, by the lengths of its columns; not measured. A story has its mean
/// number of comments.
const USER_BYTES: f64 = 230.0;
const STORY_BYTES: f64 = 5000.0 + COMMENTS as f64 * 1300.0;

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
    pub fn of_bytes(bytes: u64, stories: Option<u64>, _engine: Engine) -> Rubbos {
        let whole = Rubbos {
            users: USERS,
            stories: STORIES,
            old_stories: OLD_STORIES,
        };
        let share = bytes as f64 / whole.bytes();
        let part = |count: u64| ((count as f64 * share).round() as u64).max(1);
        Rubbos {
            users: part(USERS),
            stories: stories.unwrap_or_else(|| part(STORIES)),
            old_stories: part(OLD_STORIES),
        }
    }

    /// What its tables are estimated to take, with any engine.
    pub fn estimated_bytes(&self, _engine: Engine) -> u64 {
        self.bytes().round() as u64
    }

    /// Numbers of the stories that can be commented: behind those that are kept, so that new ones have numbers of their own.
    pub(super) fn new_stories(&self) -> RangeInclusive<u64> {
        self.old_stories + 1..=self.old_stories + self.stories
    }

    fn bytes(&self) -> f64 {
        let stories = (self.stories + self.old_stories) as f64;
        self.users as f64 * USER_BYTES + stories * STORY_BYTES
    }
}
