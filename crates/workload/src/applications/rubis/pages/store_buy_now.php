<?php
// Store buy now: a purchase, in one transaction.

require __DIR__ . '/auctions.php';

$user = known_user();
$database = database();
$database->begin_transaction();
$item = row('SELECT id, name, quantity FROM items WHERE id = ? FOR UPDATE', [number('item', 1)]);
if ($item === null || $item['quantity'] == 0) {
    $database->rollback();
    page('It is sold', '', LINKS);
    return;
}
$count = min(max(1, number('quantity', 1)), (int) $item['quantity']);
change(
    'UPDATE items SET quantity = quantity - ?, end_date = IF(quantity = 0, NOW(), end_date) WHERE id = ?',
    [$count, $item['id']]
);
change('INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, NOW())', [$user['id'], $item['id'], $count]);
$database->commit();
page("Bought: $count of " . $item['name'], '', LINKS);
