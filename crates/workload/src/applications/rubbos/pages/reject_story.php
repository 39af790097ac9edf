<?php
// Reject story: a story that waits is not published.

require __DIR__ . '/news.php';

known_author();
change('DELETE FROM submissions WHERE id = ?', [number('submission', 1)]);
page('Rejected', '', LINKS);
