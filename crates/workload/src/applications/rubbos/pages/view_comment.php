<?php
// View comment: what was said, and the answers.

require __DIR__ . '/news.php';

$table = comments_table();
$comment = row(
    "SELECT $table.*, nickname FROM $table JOIN users ON users.id = writer WHERE $table.id = ?",
    [number('comment', 1)]
) ?? refused('No such comment.');
$answers = rows(
    "SELECT id, story_id, subject, rating FROM $table WHERE story_id = ? AND parent = ? ORDER BY date LIMIT 100",
    [$comment['story_id'], $comment['id']]
);
$body = '<p>' . escaped($comment['nickname']) . ', ' . $comment['date'] . '</p><p>' . escaped($comment['comment']) . '</p>'
    . comments([$comment], $table) . comments($answers, $table);
page($comment['subject'], $body, LINKS);
