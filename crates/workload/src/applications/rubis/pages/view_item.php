<?php
// View item: an item, its seller, and the highest bid.

require __DIR__ . '/auctions.php';

$item = item(number('item', 1));
$of = ['item' => $item['id']];
$seller = row('SELECT id, nickname FROM users WHERE id = ?', [$item['seller']]);
// As many bids count as there are items.
$bids = rows('SELECT bid FROM bids WHERE item_id = ? ORDER BY bid DESC LIMIT ' . (int) $item['quantity'], [$item['id']]);
$highest = $bids === [] ? $item['initial_price'] : end($bids)['bid'];
$body = '<p>' . $item['quantity'] . ' at ' . $highest . ', ' . $item['nb_of_bids'] . ' bids, until ' . $item['end_date'] . '</p>'
    . link_to('view_user_info', $seller['nickname'] ?? 'seller', ['user' => $item['seller']]) . ' | '
    . link_to('view_bid_history', 'Bids', $of) . ' | ' . link_to('put_bid_auth', 'Bid', $of) . ' | '
    . link_to('buy_now_auth', 'Buy now', $of) . ' | '
    . link_to('put_comment', 'Comment', $of + ['to' => $item['seller'], 'user' => $item['seller']])
    . '<p>' . escaped($item['description']) . '</p>';
page($item['name'], $body, LINKS);
