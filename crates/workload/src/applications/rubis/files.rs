//! The scripts of the auction site, one a page.

/// By their paths below the database's folder.
pub(super) const FILES: [(&str, &str); 28] = [
    ("pages/about_me.php", include_str!("pages/about_me.php")),
    (
        "pages/about_me_auth.php",
        include_str!("pages/about_me_auth.php"),
    ),
    ("pages/auctions.php", include_str!("pages/auctions.php")),
    ("pages/browse.php", include_str!("pages/browse.php")),
    (
        "pages/browse_categories.php",
        include_str!("pages/browse_categories.php"),
    ),
    (
        "pages/browse_categories_in_region.php",
        include_str!("pages/browse_categories_in_region.php"),
    ),
    (
        "pages/browse_regions.php",
        include_str!("pages/browse_regions.php"),
    ),
    ("pages/buy_now.php", include_str!("pages/buy_now.php")),
    (
        "pages/buy_now_auth.php",
        include_str!("pages/buy_now_auth.php"),
    ),
    ("pages/home.php", include_str!("pages/home.php")),
    ("pages/put_bid.php", include_str!("pages/put_bid.php")),
    (
        "pages/put_bid_auth.php",
        include_str!("pages/put_bid_auth.php"),
    ),
    (
        "pages/put_comment.php",
        include_str!("pages/put_comment.php"),
    ),
    (
        "pages/put_comment_auth.php",
        include_str!("pages/put_comment_auth.php"),
    ),
    ("pages/register.php", include_str!("pages/register.php")),
    (
        "pages/register_item.php",
        include_str!("pages/register_item.php"),
    ),
    (
        "pages/register_user.php",
        include_str!("pages/register_user.php"),
    ),
    (
        "pages/search_items_in_category.php",
        include_str!("pages/search_items_in_category.php"),
    ),
    (
        "pages/search_items_in_region.php",
        include_str!("pages/search_items_in_region.php"),
    ),
    (
        "pages/select_category_to_sell_item.php",
        include_str!("pages/select_category_to_sell_item.php"),
    ),
    ("pages/sell.php", include_str!("pages/sell.php")),
    (
        "pages/sell_item_form.php",
        include_str!("pages/sell_item_form.php"),
    ),
    ("pages/store_bid.php", include_str!("pages/store_bid.php")),
    (
        "pages/store_buy_now.php",
        include_str!("pages/store_buy_now.php"),
    ),
    (
        "pages/store_comment.php",
        include_str!("pages/store_comment.php"),
    ),
    (
        "pages/view_bid_history.php",
        include_str!("pages/view_bid_history.php"),
    ),
    ("pages/view_item.php", include_str!("pages/view_item.php")),
    (
        "pages/view_user_info.php",
        include_str!("pages/view_user_info.php"),
    ),
];
