<?php
// Submit story: a form for a story.

require __DIR__ . '/news.php';

$inputs = input('user', 'User') . input('title', 'Title') . input('category', 'Category') . input('body', 'Story');
page('Submit a story', form('store_story', 'post', $inputs), LINKS);
