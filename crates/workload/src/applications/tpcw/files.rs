//! The scripts of the shop, one a page.

/// By their paths below the database's folder.
pub(super) const FILES: [(&str, &str); 15] = [
    (
        "pages/admin_confirm.php",
        include_str!("pages/admin_confirm.php"),
    ),
    (
        "pages/admin_request.php",
        include_str!("pages/admin_request.php"),
    ),
    (
        "pages/best_sellers.php",
        include_str!("pages/best_sellers.php"),
    ),
    (
        "pages/buy_confirm.php",
        include_str!("pages/buy_confirm.php"),
    ),
    (
        "pages/buy_request.php",
        include_str!("pages/buy_request.php"),
    ),
    (
        "pages/customer_registration.php",
        include_str!("pages/customer_registration.php"),
    ),
    ("pages/home.php", include_str!("pages/home.php")),
    (
        "pages/new_products.php",
        include_str!("pages/new_products.php"),
    ),
    (
        "pages/order_display.php",
        include_str!("pages/order_display.php"),
    ),
    (
        "pages/order_inquiry.php",
        include_str!("pages/order_inquiry.php"),
    ),
    (
        "pages/product_detail.php",
        include_str!("pages/product_detail.php"),
    ),
    (
        "pages/search_request.php",
        include_str!("pages/search_request.php"),
    ),
    (
        "pages/search_results.php",
        include_str!("pages/search_results.php"),
    ),
    ("pages/shop.php", include_str!("pages/shop.php")),
    (
        "pages/shopping_cart.php",
        include_str!("pages/shopping_cart.php"),
    ),
];
