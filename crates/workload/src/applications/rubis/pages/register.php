<?php
// Register: asks who somebody is.

require __DIR__ . '/auctions.php';

$regions = array_column(rows('SELECT name FROM regions ORDER BY id'), 'name');
$inputs = input('first_name', 'First name') . input('last_name', 'Last name') . input('nickname', 'Nickname')
    . input('password', 'Password') . select('region_name', $regions);
page('Register', form('register_user', 'post', $inputs), LINKS);
