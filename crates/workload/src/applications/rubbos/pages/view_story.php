<?php
// View story: a story, its writer, and what is said of it.

require __DIR__ . '/news.php';

[$story, $table] = story(number('story', 1));
$writer = row('SELECT nickname FROM users WHERE id = ?', [$story['writer']]);
$comments = rows(
    "SELECT id, story_id, subject, rating FROM $table WHERE story_id = ? AND parent = 0 ORDER BY date LIMIT 100",
    [$story['id']]
);
$body = '<p>' . escaped($writer['nickname'] ?? 'unknown') . ', ' . $story['date'] . '</p><p>' . escaped($story['body']) . '</p>'
    . link_to('post_comment', 'Comment', ['story' => $story['id'], 'parent' => 0, 'table' => $table])
    . comments($comments, $table);
page($story['title'], $body, LINKS);
