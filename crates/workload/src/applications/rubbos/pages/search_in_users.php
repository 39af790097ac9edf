<?php
// Search in users, by how nicknames begin, and what each wrote last.

require __DIR__ . '/news.php';

$number = number('number', 1);
$users = rows(
    'SELECT id, nickname, rating FROM users WHERE nickname LIKE ? ORDER BY nickname LIMIT ' . number('from') . ', ' . LISTED,
    ["user$number%"]
);
$lines = '';
foreach ($users as $user) {
    $last = rows('SELECT id, title, date FROM stories WHERE writer = ? ORDER BY date DESC LIMIT 1', [$user['id']]);
    $lines .= '<li>' . escaped($user['nickname']) . ', ' . $user['rating'] . stories($last) . '</li>';
}
page('Found', "<ol>$lines</ol>" . more('search_in_users', count($users), ['number' => $number]), LINKS);
