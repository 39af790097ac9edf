<?php
// Author tasks: what an author can do.

require __DIR__ . '/news.php';

$author = known_author();
page('Tasks of ' . $author['nickname'], link_to('review_stories', 'Review stories', ['author' => number('author', 1)]), LINKS);
