<?php
// Home (TPC-W, clause 2.3): a greeting, subjects, promotions.

require __DIR__ . '/shop.php';

$customer = row('SELECT c_fname, c_lname FROM customer WHERE c_id = ?', [number('c_id')]);
$greeting = $customer === null
    ? '<p>Welcome.</p>'
    : '<p>Welcome back, ' . escaped($customer['c_fname'] . ' ' . $customer['c_lname']) . '.</p>';
$lines = '';
foreach (SUBJECTS as $subject) {
    $fields = ['subject' => $subject];
    $lines .= '<li>' . escaped($subject) . ': ' . link_to('new_products', 'new', $fields) . ', '
        . link_to('best_sellers', 'best sellers', $fields) . '</li>';
}
page('Home', $greeting . promotions() . "<ul>$lines</ul>", ['search_request', 'shopping_cart', 'order_inquiry']);
