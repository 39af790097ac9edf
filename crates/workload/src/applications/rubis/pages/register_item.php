<?php
// Register item: something is to be sold.

require __DIR__ . '/auctions.php';

$user = known_user();
$price = max(1, number('price', 1));
$item = change(
    'INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, start_date, end_date,
       seller, category)
     VALUES (?, ?, ?, 1, 0, 0, 0, ?, NOW(), NOW() + INTERVAL 7 DAY, ?, ?)',
    [text('name', 100), text('description', 8000), $price, $price, $user['id'], number('category', 1)]
);
page("Item $item is being sold", '', LINKS);
