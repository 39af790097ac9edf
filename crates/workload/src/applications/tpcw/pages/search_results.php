<?php
// Search results (TPC-W, clause 2.10). Texts are searched by how they begin, for which there is an index.

require __DIR__ . '/shop.php';

[$condition, $value] = match (text('by', 10, 'title')) {
    'author' => ['a_lname LIKE ?', addcslashes(text('author', 20), '%_\\') . '%'],
    'subject' => ['i_subject = ?', text('subject', 60)],
    default => ['i_title LIKE ?', addcslashes(text('title', 60), '%_\\') . '%'],
};
$items = rows(
    "SELECT i_id, i_title, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id
     WHERE $condition ORDER BY i_title LIMIT " . LISTED,
    [$value]
);
page('Found', promotions() . products($items), ['home', 'search_request', 'shopping_cart']);
