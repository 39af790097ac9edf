<?php
// Browse: by category or by region.

require __DIR__ . '/auctions.php';

$body = link_to('browse_categories', 'Categories') . ' | ' . link_to('browse_regions', 'Regions');
page('Browse', $body, ['home', 'register', 'sell', 'about_me_auth']);
