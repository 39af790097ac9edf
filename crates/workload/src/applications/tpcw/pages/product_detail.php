<?php
// Product detail (TPC-W, clause 2.17): an item and its author.

require __DIR__ . '/shop.php';

$id = number('i_id', 1);
$item = row('SELECT * FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?', [$id]);
if ($item === null) {
    http_response_code(404);
    page('No such product', '', ['home', 'search_request']);
    return;
}
$related = [];
for ($place = 1; $place <= 5; $place++) {
    $other = $item["i_related$place"];
    $related[] = ['i_id' => $other, 'i_title' => "product $other"];
}
$body = '<p>by ' . escaped($item['a_fname'] . ' ' . $item['a_lname']) . '</p><p>' . escaped($item['i_desc']) . '</p>'
    . '<p>' . escaped($item['i_backing']) . ', ' . $item['i_page'] . ' pages, ' . escaped($item['i_publisher']) . ', '
    . $item['i_pub_date'] . ', ISBN ' . escaped($item['i_isbn']) . '</p>'
    . '<p>List price ' . $item['i_srp'] . ', ours ' . $item['i_cost'] . ', ' . $item['i_stock'] . ' in stock</p>'
    . products($related)
    . '<p>' . link_to('shopping_cart', 'Add to the shopping cart', ['add' => $id]) . ' | '
    . link_to('admin_request', 'Change', ['i_id' => $id]) . '</p>';
page($item['i_title'], $body, ['home', 'search_request']);
