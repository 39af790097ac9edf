<?php
// Store bid: a bid, in one transaction.

require __DIR__ . '/auctions.php';

$user = known_user();
$database = database();
$database->begin_transaction();
$item = row('SELECT id, name, max_bid FROM items WHERE id = ? FOR UPDATE', [number('item', 1)]);
if ($item === null) {
    $database->rollback();
    page('It is sold', '', LINKS);
    return;
}
$bid = $item['max_bid'] + max(1, number('more', 1));
change('UPDATE items SET max_bid = ?, nb_of_bids = nb_of_bids + 1 WHERE id = ?', [$bid, $item['id']]);
change(
    'INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, NOW())',
    [$user['id'], $item['id'], max(1, number('quantity', 1)), $bid, $bid]
);
$database->commit();
page("Bid $bid for " . $item['name'], '', LINKS);
