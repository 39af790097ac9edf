<?php
// Order display (TPC-W, clause 2.13): the last order of a customer.

require __DIR__ . '/shop.php';

$order = row(
    'SELECT orders.*, c_fname, c_lname, cx_type, bill.addr_street1 AS bill_street, bill.addr_city AS bill_city,
       ship.addr_street1 AS ship_street, ship.addr_city AS ship_city, co_name
     FROM customer JOIN orders ON o_c_id = c_id LEFT JOIN cc_xacts ON cx_o_id = o_id
       JOIN address AS bill ON bill.addr_id = o_bill_addr_id JOIN address AS ship ON ship.addr_id = o_ship_addr_id
       JOIN country ON co_id = ship.addr_co_id
     WHERE c_uname = ? AND c_passwd = ? ORDER BY o_id DESC LIMIT 1',
    [text('uname', 20), strtolower(text('passwd', 20))]
);
if ($order === null) {
    page('No order', '<p>This customer has ordered nothing yet.</p>', ['home', 'search_request']);
    return;
}
$lines = rows(
    'SELECT ol_qty, ol_discount, i_title, i_cost FROM order_line JOIN item ON i_id = ol_i_id WHERE ol_o_id = ? ORDER BY ol_id',
    [$order['o_id']]
);
$shown = '';
foreach ($lines as $line) {
    $shown .= '<li>' . $line['ol_qty'] . ' x ' . escaped($line['i_title']) . ' at ' . $line['i_cost'] . '</li>';
}
$body = '<p>' . escaped($order['c_fname'] . ' ' . $order['c_lname']) . ', ' . $order['o_date'] . ', '
    . escaped($order['o_status']) . ', ' . $order['o_total'] . ' by ' . escaped($order['cx_type'] ?? 'invoice') . '</p>'
    . '<p>To ' . escaped($order['ship_street'] . ', ' . $order['ship_city'] . ', ' . $order['co_name']) . ', billed to '
    . escaped($order['bill_street'] . ', ' . $order['bill_city']) . '</p>' . "<ol>$shown</ol>";
page('Order ' . $order['o_id'], $body, ['home', 'search_request']);
