<?php
// View user info: a user, and what others say.

require __DIR__ . '/auctions.php';

$user = row('SELECT id, nickname, rating, creation_date FROM users WHERE id = ?', [number('user', 1)])
    ?? refused('No such user.');
$comments = rows(
    'SELECT from_user_id, nickname, comments.rating, date, comment FROM comments JOIN users ON users.id = from_user_id
     WHERE to_user_id = ? ORDER BY date DESC LIMIT 50',
    [$user['id']]
);
$lines = '';
foreach ($comments as $comment) {
    $lines .= '<li>' . link_to('view_user_info', $comment['nickname'], ['user' => $comment['from_user_id']]) . ', '
        . $comment['date'] . ', ' . $comment['rating'] . ': ' . escaped($comment['comment']) . '</li>';
}
$body = '<p>Rating ' . $user['rating'] . ', since ' . $user['creation_date'] . '</p>' . "<ol>$lines</ol>";
page($user['nickname'], $body, LINKS);
