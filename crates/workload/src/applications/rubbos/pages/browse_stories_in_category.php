<?php
// Browse stories in category: the newest first.

require __DIR__ . '/news.php';

$fields = ['category' => number('category', 1)];
$stories = rows(
    'SELECT id, title, date FROM stories WHERE category = ? ORDER BY date DESC LIMIT ' . number('from') . ', ' . LISTED,
    [$fields['category']]
);
page('Stories', stories($stories) . more('browse_stories_in_category', count($stories), $fields), LINKS);
