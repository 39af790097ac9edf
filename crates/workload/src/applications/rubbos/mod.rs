//! RUBBoS: a news site with 24 pages.
//!
//! The tables of transitions are those of its distribution (`workload/user_default_transitions.txt` and its like), column by
//! column. One session in ten is an author's.

use super::application::Application;
use super::emulator::{letters, mixes_of, numbers};
use crate::sessions::{Field, Mix};

/// What follows each page, by mix.
const TABLES: [(&str, &str); 3] = [
    ("user", include_str!("user.table")),
    ("author", include_str!("author.table")),
    ("browsing", include_str!("browsing.table")),
];

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

/// Authors among the users.
pub const AUTHORS: u64 = 50;
/// Categories of stories.
const CATEGORIES: u64 = 20;

impl Rubbos {
    fn fields(&self, page: &str) -> Vec<Field> {
        let user = || numbers("user", 1, self.users);
        let author = || numbers("author", 1, AUTHORS.min(self.users));
        let story = || numbers("story", 1, self.stories);
        match page {
            "register_user" => vec![
                letters("first_name", 8, 15),
                letters("last_name", 8, 15),
                letters("nickname", 12, 16),
                letters("password", 8, 12),
            ],
            "browse_stories_in_category" => vec![numbers("category", 1, CATEGORIES)],
            "older_stories" => vec![numbers("days", 1, 30)],
            "view_story" | "post_comment" | "accept_story" | "reject_story" => vec![story()],
            "store_comment" => vec![
                story(),
                user(),
                letters("subject", 10, 60),
                letters("comment", 100, 2000),
            ],
            "view_comment" => vec![story(), numbers("comment", 1, self.stories)],
            "moderate_comment" => vec![author(), numbers("comment", 1, self.stories)],
            "store_moderate_log" => {
                vec![
                    author(),
                    numbers("comment", 1, self.stories),
                    numbers("rating", 0, 2),
                ]
            }
            "store_story" => vec![
                user(),
                numbers("category", 1, CATEGORIES),
                letters("title", 10, 60),
                letters("body", 500, 8000),
            ],
            "search_in_stories" | "search_in_comments" | "search_in_users" => {
                vec![letters("words", 1, 2)]
            }
            "author_tasks" | "review_stories" => vec![author()],
            _ => Vec::new(),
        }
    }
}

impl Application for Rubbos {
    fn name(&self) -> &'static str {
        "rubbos"
    }

    fn mixes(&self) -> Vec<Mix> {
        mixes_of(&TABLES, |page| self.fields(page))
    }
}
