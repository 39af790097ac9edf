<?php
// Customer registration (TPC-W, clause 2.7): known customers give their name, others say who they are.

require __DIR__ . '/shop.php';

if (number('c_id') > 0) {
    $body = '<p>Welcome back.</p>' . form('buy_request', 'post', input('uname', 'User') . input('passwd', 'Password'));
} else {
    $inputs = '';
    foreach (['fname', 'lname', 'street1', 'street2', 'city', 'state', 'zip', 'phone', 'email', 'data'] as $name) {
        $inputs .= input($name, $name);
    }
    $countries = array_column(rows('SELECT co_name FROM country ORDER BY co_name'), 'co_name');
    $body = form('buy_request', 'post', $inputs . select('country', $countries), ['new' => 1]);
}
page('Who are you?', $body, ['home', 'search_request']);
