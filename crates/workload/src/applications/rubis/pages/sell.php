<?php
// Sell: asks who somebody is.

require __DIR__ . '/auctions.php';

page('Sell', sign_in('select_category_to_sell_item'), LINKS);
