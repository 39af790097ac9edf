<?php
// Search in stories, by how titles begin, for which there is an index.

require __DIR__ . '/news.php';

$words = text('words', 60);
$stories = rows(
    'SELECT id, title, date FROM stories WHERE title LIKE ? ORDER BY title LIMIT ' . number('from') . ', ' . LISTED,
    [addcslashes($words, '%_\\') . '%']
);
page('Found', stories($stories) . more('search_in_stories', count($stories), ['words' => $words]), LINKS);
