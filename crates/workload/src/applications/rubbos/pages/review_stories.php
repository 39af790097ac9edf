<?php
// Review stories: those that wait, the oldest first.

require __DIR__ . '/news.php';

$author = known_author();
$lines = '';
foreach (rows('SELECT id, title, body FROM submissions ORDER BY date LIMIT 10') as $story) {
    $of = ['author' => number('author', 1), 'submission' => $story['id']];
    $lines .= '<li>' . escaped($story['title']) . ' ' . link_to('accept_story', 'Accept', $of) . ' '
        . link_to('reject_story', 'Reject', $of) . '<p>' . escaped($story['body']) . '</p></li>';
}
page('Stories for ' . $author['nickname'], "<ol>$lines</ol>", LINKS);
