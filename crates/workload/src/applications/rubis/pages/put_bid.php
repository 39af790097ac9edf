<?php
// Put bid: what the highest bid is, and a form for another.

require __DIR__ . '/auctions.php';

$user = known_user();
$item = item(number('item', 1));
$of = ['item' => $item['id']];
$highest = row('SELECT MAX(bid) AS bid FROM bids WHERE item_id = ?', [$item['id']])['bid'] ?? $item['initial_price'];
$body = '<p>' . $item['quantity'] . ' at ' . $highest . ', ' . $item['nb_of_bids'] . ' bids</p>'
    . form('store_bid', 'post', input('more', 'How much more') . input('quantity', 'How many'), $of + ['user' => number('user', 1)])
    . link_to('view_user_info', 'Seller', ['user' => $item['seller']]) . ' | ' . link_to('view_bid_history', 'Bids', $of) . ' | '
    . link_to('put_comment', 'Comment', $of + ['to' => $item['seller'], 'user' => number('user', 1)]);
page($item['name'] . ' for ' . $user['nickname'], $body, LINKS);
