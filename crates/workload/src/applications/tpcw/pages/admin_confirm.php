<?php
// Admin confirm (TPC-W, clause 2.16): changes an item, and has it related to what its buyers bought in the last 10,000 orders.

require __DIR__ . '/shop.php';

$id = number('i_id', 1);
$last = row('SELECT MAX(o_id) AS last FROM orders');
$since = max(0, (int) $last['last'] - 10000);
$related = rows(
    'SELECT other.ol_i_id FROM order_line AS bought JOIN orders AS by_buyer ON by_buyer.o_id = bought.ol_o_id
       JOIN orders AS theirs ON theirs.o_c_id = by_buyer.o_c_id AND theirs.o_id > ?
       JOIN order_line AS other ON other.ol_o_id = theirs.o_id AND other.ol_i_id <> bought.ol_i_id
     WHERE bought.ol_i_id = ? AND bought.ol_o_id > ?
     GROUP BY other.ol_i_id ORDER BY SUM(other.ol_qty) DESC LIMIT 5',
    [$since, $id, $since]
);
$related = array_column($related, 'ol_i_id');
while (count($related) < 5) {
    $related[] = random_item();
}
change(
    'UPDATE item SET i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = CURDATE(), i_related1 = ?, i_related2 = ?,
       i_related3 = ?, i_related4 = ?, i_related5 = ? WHERE i_id = ?',
    [number('cost', 1), text('image', 60), text('thumbnail', 60), ...$related, $id]
);
$item = row('SELECT i_title, i_cost, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?', [$id]);
page('Changed', '<p>' . escaped($item['i_title'] ?? '') . ' at ' . ($item['i_cost'] ?? '') . '</p>', ['home', 'search_request']);
