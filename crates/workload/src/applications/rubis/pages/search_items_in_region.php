<?php
// Search items in region: what is being sold there of a category.

require __DIR__ . '/auctions.php';

$fields = ['region' => number('region', 1), 'category' => number('category', 1)];
$items = rows(
    'SELECT items.id, name, max_bid, nb_of_bids, end_date FROM items JOIN users ON users.id = seller
     WHERE category = ? AND region = ? AND end_date >= NOW() ORDER BY end_date LIMIT ' . number('from') . ', ' . LISTED,
    [$fields['category'], $fields['region']]
);
page('Items', listed($items, 'search_items_in_region', $fields), LINKS);
