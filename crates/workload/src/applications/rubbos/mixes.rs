//! The mixes of RUBBoS.

use super::site::{AUTHORS, CATEGORIES, Rubbos};
use crate::applications::emulator::{letters, mixes_of, numbers};
use crate::sessions::{Field, Mix};

/// What follows each page, by mix: `workload/user_default_transitions.txt` of its distribution and its like, column by column. One
/// session in ten is an author's.
const TABLES: [(&str, &str); 3] = [
    ("user", include_str!("user.table")),
    ("author", include_str!("author.table")),
    ("browsing", include_str!("browsing.table")),
];

pub(super) fn mixes(site: &Rubbos) -> Vec<Mix> {
    mixes_of(&TABLES, |page| fields(site, page))
}

fn fields(site: &Rubbos, page: &str) -> Vec<Field> {
    let user = || numbers("user", 1, site.users);
    let author = || numbers("author", 1, AUTHORS.min(site.users));
    let stories = site.new_stories();
    let story = || numbers("story", *stories.start(), *stories.end());
    match page {
        "register_user" => vec![
            letters("first_name", 8, 15),
            letters("last_name", 8, 15),
            letters("nickname", 12, 16),
            letters("password", 8, 12),
        ],
        "browse_stories_in_category" => vec![numbers("category", 1, CATEGORIES)],
        "older_stories" => vec![numbers("days", 1, 30)],
        "view_story" | "post_comment" => vec![story()],
        "accept_story" | "reject_story" => {
            vec![author(), numbers("submission", 1, site.submissions())]
        }
        "store_comment" => vec![
            story(),
            user(),
            letters("subject", 10, 60),
            letters("comment", 100, 2000),
        ],
        "view_comment" => vec![story(), numbers("comment", 1, site.stories)],
        "moderate_comment" => vec![author(), numbers("comment", 1, site.stories)],
        "store_moderate_log" => {
            vec![
                author(),
                numbers("comment", 1, site.stories),
                numbers("rating", 0, 2),
            ]
        }
        "store_story" => vec![
            user(),
            numbers("category", 1, CATEGORIES),
            letters("title", 10, 60),
            letters("body", 500, 8000),
        ],
        "search_in_stories" | "search_in_comments" => vec![letters("words", 1, 1)],
        "search_in_users" => vec![numbers("number", 1, site.users)],
        "author_tasks" | "review_stories" => vec![author()],
        _ => Vec::new(),
    }
}
