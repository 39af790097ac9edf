<?php
// Register: asks who somebody is.

require __DIR__ . '/news.php';

$inputs = input('first_name', 'First name') . input('last_name', 'Last name') . input('nickname', 'Nickname')
    . input('password', 'Password');
page('Register', form('register_user', 'post', $inputs), LINKS);
