<?php
// New products (TPC-W, clause 2.4): the newest items of a subject.

require __DIR__ . '/shop.php';

$subject = text('subject', 60, SUBJECTS[0]);
$items = rows(
    'SELECT i_id, i_title, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id
     WHERE i_subject = ? ORDER BY i_pub_date DESC, i_title LIMIT ' . LISTED,
    [$subject]
);
page("New in $subject", promotions() . products($items), ['home', 'search_request', 'shopping_cart']);
