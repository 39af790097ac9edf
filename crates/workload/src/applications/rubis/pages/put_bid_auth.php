<?php
// Bid: asks who somebody is.

require __DIR__ . '/auctions.php';

page('Bid', sign_in('put_bid', ['item' => number('item', 1)]), LINKS);
