<?php
// Buy confirm (TPC-W, clause 2.11): the cart becomes an order, in one transaction. There is no payment gateway.

require __DIR__ . '/shop.php';

$database = database();
$database->begin_transaction();
$customer = row('SELECT c_id, c_discount, c_addr_id FROM customer WHERE c_id = ?', [number('c_id')]);
$lines = cart_lines(number('shopping_id'));
if ($customer === null || $lines === []) {
    $database->rollback();
    page('Nothing was ordered', '<p>There is no customer, or nothing in the cart.</p>', ['home', 'search_request']);
    return;
}
$net = total($lines) * (1 - $customer['c_discount'] / 100);
$tax = $net * 0.0825;
$count = array_sum(array_column($lines, 'scl_qty'));
$total = $net + $tax + 3 + $count;
$order = change(
    'INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id, o_ship_addr_id, o_status)
     VALUES (?, NOW(), ?, ?, ?, ?, NOW() + INTERVAL ? DAY, ?, ?, \'PENDING\')',
    [
        $customer['c_id'], $net, $tax, $total, text('ship_type', 10, 'AIR'), random_int(1, 7), $customer['c_addr_id'],
        $customer['c_addr_id'],
    ]
);
foreach ($lines as $place => $line) {
    change(
        'INSERT INTO order_line (ol_id, ol_o_id, ol_i_id, ol_qty, ol_discount, ol_comments) VALUES (?, ?, ?, ?, ?, \'\')',
        [$place + 1, $order, $line['scl_i_id'], $line['scl_qty'], $customer['c_discount']]
    );
    // Stock that runs low is filled up (TPC-W, clause 2.11.3).
    change(
        'UPDATE item SET i_stock = IF(i_stock - ? < 10, i_stock - ? + 21, i_stock - ?) WHERE i_id = ?',
        [$line['scl_qty'] % 1000, $line['scl_qty'] % 1000, $line['scl_qty'] % 1000, $line['scl_i_id']]
    );
}
change(
    'INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expire, cx_auth_id, cx_xact_amt, cx_xact_date, cx_co_id)
     VALUES (?, ?, ?, ?, CURDATE() + INTERVAL 1 YEAR, ?, ?, NOW(), (SELECT addr_co_id FROM address WHERE addr_id = ?))',
    [
        $order, text('cc_type', 10, 'VISA'), text('cc_number', 16), text('cc_name', 31), bin2hex(random_bytes(7)), $total,
        $customer['c_addr_id'],
    ]
);
change('DELETE FROM shopping_cart_line WHERE scl_sc_id = ?', [number('shopping_id')]);
$database->commit();
page('Thank you', "<p>Order $order</p>" . lines_shown($lines), ['home', 'search_request']);
