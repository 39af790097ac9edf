<?php
// Moderate comment: a form for an author who rates what was said.

require __DIR__ . '/news.php';

$fields = ['comment' => number('comment', 1), 'table' => comments_table()];
$inputs = input('author', 'Author') . input('rating', 'Rating, 0 to 2');
page('Rate a comment', form('store_moderate_log', 'post', $inputs, $fields), LINKS);
