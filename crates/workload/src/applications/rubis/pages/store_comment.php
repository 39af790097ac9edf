<?php
// Store comment: what is said of a user, in one transaction.

require __DIR__ . '/auctions.php';

$from = known_user();
$database = database();
$database->begin_transaction();
$rating = min(10, number('rating')) - 5;
change('UPDATE users SET rating = rating + ? WHERE id = ?', [$rating, number('to', 1)]);
change(
    'INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment) VALUES (?, ?, ?, ?, NOW(), ?)',
    [$from['id'], number('to', 1), number('item', 1), $rating, text('comment', 2000)]
);
$database->commit();
page('Said', '', LINKS);
