<?php
// Stories of the day: the newest stories.

require __DIR__ . '/news.php';

$stories = rows('SELECT id, title, body, date FROM stories ORDER BY date DESC LIMIT 10');
$body = '';
foreach ($stories as $story) {
    $body .= '<h2>' . link_to('view_story', $story['title'], ['story' => $story['id']]) . '</h2><p>'
        . escaped(substr($story['body'], 0, 500)) . '</p>';
}
page('Stories of the day', $body, LINKS);
