<?php
// Author login: asks which author somebody is.

require __DIR__ . '/news.php';

page('Authors', form('author_tasks', 'post', input('author', 'Author')), LINKS);
