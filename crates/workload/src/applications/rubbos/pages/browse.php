<?php
// Browse: by category or by age.

require __DIR__ . '/news.php';

$body = link_to('browse_categories', 'Categories') . ' | ' . link_to('older_stories', 'Older stories', ['days' => 1]);
page('Browse', $body, LINKS);
