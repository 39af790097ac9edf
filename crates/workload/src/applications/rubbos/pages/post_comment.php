<?php
// Post comment: a form for what is to be said.

require __DIR__ . '/news.php';

[$story, $table] = story(number('story', 1));
$fields = ['story' => $story['id'], 'parent' => number('parent'), 'table' => $table];
$inputs = input('user', 'User') . input('subject', 'Subject') . input('comment', 'Comment');
page('Comment on ' . $story['title'], form('store_comment', 'post', $inputs, $fields), LINKS);
