<?php
// Search: a form each for stories, comments and users.

require __DIR__ . '/news.php';

$body = form('search_in_stories', 'get', input('words', 'Stories')) . form('search_in_comments', 'get', input('words', 'Comments'))
    . form('search_in_users', 'get', input('number', 'Users'));
page('Search', $body, LINKS);
