<?php
// Put comment: a form for what is to be said of a user.

require __DIR__ . '/auctions.php';

$from = known_user();
$item = item(number('item', 1));
$to = row('SELECT id, nickname FROM users WHERE id = ?', [number('to', 1)]) ?? refused('No such user.');
$fields = ['item' => $item['id'], 'to' => $to['id'], 'user' => number('user', 1)];
$body = form('store_comment', 'post', input('rating', 'Rating, 0 to 10') . input('comment', 'Comment'), $fields);
page('What ' . $from['nickname'] . ' says of ' . $to['nickname'], $body, LINKS);
