//! The scripts of the news site, one a page.

/// By their paths below the database's folder.
pub(super) const FILES: [(&str, &str); 25] = [
    (
        "pages/accept_story.php",
        include_str!("pages/accept_story.php"),
    ),
    (
        "pages/author_login.php",
        include_str!("pages/author_login.php"),
    ),
    (
        "pages/author_tasks.php",
        include_str!("pages/author_tasks.php"),
    ),
    ("pages/browse.php", include_str!("pages/browse.php")),
    (
        "pages/browse_categories.php",
        include_str!("pages/browse_categories.php"),
    ),
    (
        "pages/browse_stories_in_category.php",
        include_str!("pages/browse_stories_in_category.php"),
    ),
    (
        "pages/moderate_comment.php",
        include_str!("pages/moderate_comment.php"),
    ),
    ("pages/news.php", include_str!("pages/news.php")),
    (
        "pages/older_stories.php",
        include_str!("pages/older_stories.php"),
    ),
    (
        "pages/post_comment.php",
        include_str!("pages/post_comment.php"),
    ),
    ("pages/register.php", include_str!("pages/register.php")),
    (
        "pages/register_user.php",
        include_str!("pages/register_user.php"),
    ),
    (
        "pages/reject_story.php",
        include_str!("pages/reject_story.php"),
    ),
    (
        "pages/review_stories.php",
        include_str!("pages/review_stories.php"),
    ),
    ("pages/search.php", include_str!("pages/search.php")),
    (
        "pages/search_in_comments.php",
        include_str!("pages/search_in_comments.php"),
    ),
    (
        "pages/search_in_stories.php",
        include_str!("pages/search_in_stories.php"),
    ),
    (
        "pages/search_in_users.php",
        include_str!("pages/search_in_users.php"),
    ),
    (
        "pages/store_comment.php",
        include_str!("pages/store_comment.php"),
    ),
    (
        "pages/store_moderate_log.php",
        include_str!("pages/store_moderate_log.php"),
    ),
    (
        "pages/store_story.php",
        include_str!("pages/store_story.php"),
    ),
    (
        "pages/stories_of_the_day.php",
        include_str!("pages/stories_of_the_day.php"),
    ),
    (
        "pages/submit_story.php",
        include_str!("pages/submit_story.php"),
    ),
    (
        "pages/view_comment.php",
        include_str!("pages/view_comment.php"),
    ),
    ("pages/view_story.php", include_str!("pages/view_story.php")),
];
