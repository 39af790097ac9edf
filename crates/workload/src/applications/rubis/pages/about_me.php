<?php
// About me: what a user sells, bids for, buys, and is told.

require __DIR__ . '/auctions.php';

$user = known_user();
$id = $user['id'];
$selling = rows('SELECT id, name, max_bid, nb_of_bids, end_date FROM items WHERE seller = ? LIMIT 50', [$id]);
$sold = rows('SELECT id, name, max_bid, nb_of_bids, end_date FROM old_items WHERE seller = ? LIMIT 50', [$id]);
$bidding = rows(
    'SELECT DISTINCT items.id, name, items.max_bid, nb_of_bids, end_date FROM bids JOIN items ON items.id = item_id
     WHERE user_id = ? LIMIT 50',
    [$id]
);
$bought = rows(
    'SELECT DISTINCT items.id, name, max_bid, nb_of_bids, end_date FROM buy_now JOIN items ON items.id = item_id
     WHERE buyer_id = ? LIMIT 50',
    [$id]
);
$comments = rows(
    'SELECT from_user_id, nickname, comment FROM comments JOIN users ON users.id = from_user_id WHERE to_user_id = ? LIMIT 50',
    [$id]
);
$body = '';
foreach (['Selling' => $selling, 'Sold' => $sold, 'Bidding' => $bidding, 'Bought' => $bought] as $heading => $items) {
    $lines = '';
    foreach ($items as $item) {
        $of = ['item' => $item['id']];
        $lines .= '<li>' . link_to('view_item', $item['name'], $of) . ' ' . link_to('put_bid_auth', 'Bid', $of) . '</li>';
    }
    $body .= "<h2>$heading</h2><ul>$lines</ul>";
}
$lines = '';
foreach ($comments as $comment) {
    $lines .= '<li>' . link_to('view_user_info', $comment['nickname'], ['user' => $comment['from_user_id']]) . ': '
        . escaped($comment['comment']) . '</li>';
}
page($user['nickname'], "$body<h2>Comments</h2><ol>$lines</ol>", LINKS);
