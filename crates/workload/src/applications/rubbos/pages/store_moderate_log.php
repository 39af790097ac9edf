<?php
// Store moderate log: a rating, in one transaction.

require __DIR__ . '/news.php';

$author = known_author();
$table = comments_table();
$rating = min(2, number('rating')) - 1;
$database = database();
$database->begin_transaction();
change("UPDATE $table SET rating = LEAST(5, GREATEST(-1, rating + ?)) WHERE id = ?", [$rating, number('comment', 1)]);
change(
    'UPDATE users SET rating = rating + ? WHERE id = (SELECT writer FROM ' . $table . ' WHERE id = ?)',
    [$rating, number('comment', 1)]
);
change(
    'INSERT INTO moderator_log (moderator_id, comment_id, rating, date) VALUES (?, ?, ?, ?)',
    [$author['id'], number('comment', 1), $rating, moment()]
);
$database->commit();
page('Rated', '', LINKS);
