<?php
// Select category to sell item.

require __DIR__ . '/auctions.php';

$user = known_user();
$lines = '';
foreach (rows('SELECT id, name FROM categories') as $category) {
    $fields = ['user' => number('user', 1), 'category' => $category['id']];
    $lines .= '<li>' . link_to('sell_item_form', $category['name'], $fields) . '</li>';
}
page('Where does ' . $user['nickname'] . ' sell?', "<ul>$lines</ul>", LINKS);
