<?php
// Sell item form: what is to be sold.

require __DIR__ . '/auctions.php';

$fields = ['user' => number('user', 1), 'category' => number('category', 1)];
$body = form('register_item', 'post', input('name', 'Name') . input('description', 'Description') . input('price', 'Price'), $fields);
page('What do you sell?', $body, LINKS);
