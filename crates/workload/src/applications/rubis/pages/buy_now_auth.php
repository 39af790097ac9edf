<?php
// Buy now: asks who somebody is.

require __DIR__ . '/auctions.php';

page('Buy now', sign_in('buy_now', ['item' => number('item', 1)]), LINKS);
