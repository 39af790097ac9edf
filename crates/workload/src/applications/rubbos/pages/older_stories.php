<?php
// Older stories: those of a day, so many days before the newest.

require __DIR__ . '/news.php';

$days = number('days', 1);
$newest = row('SELECT MAX(date) AS date FROM stories')['date'];
$between = 'WHERE date >= DATE(?) - INTERVAL ? DAY AND date < DATE(?) - INTERVAL ? DAY + INTERVAL 1 DAY';
$values = [$newest, $days, $newest, $days];
$stories = rows(
    "(SELECT id, title, date FROM stories $between) UNION ALL (SELECT id, title, date FROM old_stories $between)
     ORDER BY date DESC LIMIT " . LISTED,
    [...$values, ...$values]
);
$body = stories($stories) . link_to('older_stories', 'The day before', ['days' => $days + 1]) . ' | '
    . link_to('older_stories', 'The day after', ['days' => max(0, $days - 1)]);
page("$days days ago", $body, LINKS);
