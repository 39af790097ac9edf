<?php
// Accept story: a story that waits is published, in one transaction.

require __DIR__ . '/news.php';

known_author();
$database = database();
$database->begin_transaction();
$story = row('SELECT * FROM submissions WHERE id = ? FOR UPDATE', [number('submission', 1)]);
if ($story !== null) {
    change(
        'INSERT INTO stories (title, body, date, writer, category) VALUES (?, ?, ?, ?, ?)',
        [$story['title'], $story['body'], moment(), $story['writer'], $story['category']]
    );
    change('DELETE FROM submissions WHERE id = ?', [$story['id']]);
}
$database->commit();
page($story === null ? 'It waits no longer' : 'Accepted', '', LINKS);
