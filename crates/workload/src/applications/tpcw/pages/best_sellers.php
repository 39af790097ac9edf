<?php
// Best sellers (TPC-W, clause 2.5): the items of a subject that sold most in the last 3333 orders.

require __DIR__ . '/shop.php';

$subject = text('subject', 60, SUBJECTS[0]);
$last = row('SELECT MAX(o_id) AS last FROM orders');
$items = rows(
    'SELECT i_id, i_title, a_fname, a_lname, SUM(ol_qty) AS sold
     FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id
     WHERE ol_o_id > ? AND i_subject = ?
     GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC LIMIT ' . LISTED,
    [max(0, (int) $last['last'] - 3333), $subject]
);
page("Best sellers in $subject", promotions() . products($items), ['home', 'search_request', 'shopping_cart']);
