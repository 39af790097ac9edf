<?php
// Browse categories in region.

require __DIR__ . '/auctions.php';

$region = number('region', 1);
$lines = '';
foreach (rows('SELECT id, name FROM categories') as $category) {
    $fields = ['region' => $region, 'category' => $category['id']];
    $lines .= '<li>' . link_to('search_items_in_region', $category['name'], $fields) . '</li>';
}
page("Categories in region $region", "<ul>$lines</ul>", LINKS);
