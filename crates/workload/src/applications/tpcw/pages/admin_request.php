<?php
// Admin request (TPC-W, clause 2.15): an item that is to be changed.

require __DIR__ . '/shop.php';

$item = row('SELECT i_id, i_title, i_cost, i_thumbnail, i_image FROM item WHERE i_id = ?', [number('i_id', 1)]);
if ($item === null) {
    http_response_code(404);
    page('No such product', '', ['home']);
    return;
}
$inputs = input('cost', 'New price') . input('image', 'Picture', $item['i_image'])
    . input('thumbnail', 'Small picture', $item['i_thumbnail']);
$body = '<p>Now at ' . $item['i_cost'] . '</p>' . form('admin_confirm', 'post', $inputs, ['i_id' => $item['i_id']]);
page($item['i_title'], $body, ['home']);
