<?php
// View bid history: all bids for an item.

require __DIR__ . '/auctions.php';

$item = item(number('item', 1));
$bids = rows(
    'SELECT user_id, nickname, bid, date FROM bids JOIN users ON users.id = user_id WHERE item_id = ? ORDER BY date DESC',
    [$item['id']]
);
$lines = '';
foreach ($bids as $bid) {
    $lines .= '<li>' . link_to('view_user_info', $bid['nickname'], ['user' => $bid['user_id']]) . ' ' . $bid['bid'] . ', '
        . $bid['date'] . '</li>';
}
page('Bids for ' . $item['name'], "<ol>$lines</ol>", LINKS);
