<?php
// Register user: somebody becomes a user.

require __DIR__ . '/news.php';

if (row('SELECT id FROM users WHERE nickname = ?', [text('nickname', 20)]) !== null) {
    page('This nickname is taken', '', LINKS);
    return;
}
$user = change(
    'INSERT INTO users (firstname, lastname, nickname, password, email, rating, access, creation_date)
     VALUES (?, ?, ?, ?, \'\', 0, 0, NOW())',
    [text('first_name', 20), text('last_name', 20), text('nickname', 20), text('password', 20)]
);
page("Welcome, user $user", '', LINKS);
