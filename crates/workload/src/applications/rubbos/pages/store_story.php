<?php
// Store story: a story waits for an author, or is published where an author wrote it.

require __DIR__ . '/news.php';

$user = known_user();
$table = (int) $user['access'] > 0 ? 'stories' : 'submissions';
change(
    "INSERT INTO $table (title, body, date, writer, category) VALUES (?, ?, ?, ?, ?)",
    [text('title', 100), text('body', 8000), moment(), $user['id'], number('category', 1)]
);
page('Submitted', '', LINKS);
