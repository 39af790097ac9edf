<?php
// Register user: somebody becomes a user.

require __DIR__ . '/auctions.php';

$region = row('SELECT id FROM regions WHERE name = ?', [text('region_name', 25)]);
$taken = row('SELECT id FROM users WHERE nickname = ?', [text('nickname', 20)]);
if ($taken !== null) {
    page('This nickname is taken', '', LINKS);
    return;
}
$user = change(
    'INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
     VALUES (?, ?, ?, ?, \'\', 0, 0, NOW(), ?)',
    [
        text('first_name', 20), text('last_name', 20), text('nickname', 20), text('password', 20),
        $region === null ? number('region', 1) : $region['id'],
    ]
);
page("Welcome, user $user", '', LINKS);
