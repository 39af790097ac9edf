<?php
// Browse categories.

require __DIR__ . '/auctions.php';

$lines = '';
foreach (rows('SELECT id, name FROM categories') as $category) {
    $lines .= '<li>' . link_to('search_items_in_category', $category['name'], ['category' => $category['id']]) . '</li>';
}
page('Categories', "<ul>$lines</ul>", LINKS);
