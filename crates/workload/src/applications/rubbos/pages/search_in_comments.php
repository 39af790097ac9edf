<?php
// Search in comments, by how subjects begin.

require __DIR__ . '/news.php';

$words = text('words', 60);
$found = rows(
    'SELECT id, story_id, subject, rating FROM comments WHERE subject LIKE ? ORDER BY subject LIMIT ' . number('from') . ', ' . LISTED,
    [addcslashes($words, '%_\\') . '%']
);
page('Found', comments($found, 'comments') . more('search_in_comments', count($found), ['words' => $words]), LINKS);
