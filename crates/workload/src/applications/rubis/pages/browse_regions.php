<?php
// Browse regions.

require __DIR__ . '/auctions.php';

$lines = '';
foreach (rows('SELECT id, name FROM regions') as $region) {
    $lines .= '<li>' . link_to('browse_categories_in_region', $region['name'], ['region' => $region['id']]) . '</li>';
}
page('Regions', "<ul>$lines</ul>", LINKS);
