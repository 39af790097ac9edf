<?php
// Put comment: asks who somebody is.

require __DIR__ . '/auctions.php';

page('Comment', sign_in('put_comment', ['item' => number('item', 1), 'to' => number('to', 1)]), LINKS);
