<?php
// Home.

require __DIR__ . '/auctions.php';

page('Auctions', '<p>Welcome.</p>' . link_to('register', 'Register'), ['browse', 'sell', 'about_me_auth']);
