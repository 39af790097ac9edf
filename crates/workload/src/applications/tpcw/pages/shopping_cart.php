<?php
// Shopping cart (TPC-W, clause 2.6): adds an item, changes numbers, and never shows an empty cart.

require __DIR__ . '/shop.php';

$database = database();
$database->begin_transaction();
$cart = number('shopping_id');
if ($cart === 0) {
    $cart = change('INSERT INTO shopping_cart (sc_date) VALUES (NOW())');
    $_REQUEST['shopping_id'] = (string) $cart;
} else {
    change('UPDATE shopping_cart SET sc_date = NOW() WHERE sc_id = ?', [$cart]);
}
$add = 'INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)
        ON DUPLICATE KEY UPDATE scl_qty = LEAST(scl_qty + 1, 1000)';
if (number('add') > 0) {
    change($add, [$cart, number('add')]);
}
$changed = is_array($_REQUEST['qty'] ?? null) ? $_REQUEST['qty'] : [];
foreach ($changed as $item => $count) {
    if ((int) $count > 0) {
        change(
            'UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_sc_id = ? AND scl_i_id = ?',
            [min((int) $count, 1000), $cart, (int) $item]
        );
    } else {
        change('DELETE FROM shopping_cart_line WHERE scl_sc_id = ? AND scl_i_id = ?', [$cart, (int) $item]);
    }
}
$lines = cart_lines($cart);
if ($lines === []) {
    change($add, [$cart, random_item()]);
    $lines = cart_lines($cart);
}
$database->commit();

$inputs = '';
foreach ($lines as $line) {
    $inputs .= input('qty[' . $line['scl_i_id'] . ']', $line['i_title'], (string) $line['scl_qty']);
}
$body = promotions() . lines_shown($lines) . form('shopping_cart', 'get', $inputs)
    . '<p>' . link_to('customer_registration', 'Buy') . '</p>';
page('Shopping cart', $body, ['home']);
