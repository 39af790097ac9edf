<?php
// Buy now: what is to be bought at once.

require __DIR__ . '/auctions.php';

$user = known_user();
$item = item(number('item', 1));
$price = $item['buy_now'] > 0 ? $item['buy_now'] : $item['max_bid'];
$body = '<p>' . $item['quantity'] . ' at ' . $price . '</p>'
    . form('store_buy_now', 'post', input('quantity', 'How many'), ['item' => $item['id'], 'user' => number('user', 1)]);
page($item['name'] . ' for ' . $user['nickname'], $body, LINKS);
