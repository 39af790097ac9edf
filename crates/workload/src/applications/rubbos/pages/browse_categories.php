<?php
// Browse categories.

require __DIR__ . '/news.php';

$lines = '';
foreach (rows('SELECT id, name FROM categories') as $category) {
    $lines .= '<li>' . link_to('browse_stories_in_category', $category['name'], ['category' => $category['id']]) . '</li>';
}
page('Categories', "<ul>$lines</ul>", LINKS);
