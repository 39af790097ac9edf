<?php
// Order inquiry (TPC-W, clause 2.12): asks whose last order is to be shown.

require __DIR__ . '/shop.php';

page(
    'Your last order',
    form('order_display', 'get', input('uname', 'User') . input('passwd', 'Password')),
    ['home', 'search_request']
);
