<?php
// About me: asks who somebody is.

require __DIR__ . '/auctions.php';

page('About me', sign_in('about_me'), LINKS);
