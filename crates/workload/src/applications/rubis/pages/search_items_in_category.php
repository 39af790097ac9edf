<?php
// Search items in category: what is being sold in it.

require __DIR__ . '/auctions.php';

$fields = ['category' => number('category', 1)];
$items = rows(
    'SELECT id, name, max_bid, nb_of_bids, end_date FROM items WHERE category = ? AND end_date >= NOW()
     ORDER BY end_date LIMIT ' . number('from') . ', ' . LISTED,
    [$fields['category']]
);
page('Items', listed($items, 'search_items_in_category', $fields), LINKS);
