<?php
// Store comment: what is said, in one transaction.

require __DIR__ . '/news.php';

$user = known_user();
$table = comments_table();
$database = database();
$database->begin_transaction();
change(
    "INSERT INTO $table (writer, story_id, parent, childs, rating, date, subject, comment) VALUES (?, ?, ?, 0, 0, ?, ?, ?)",
    [$user['id'], number('story', 1), number('parent'), moment(), text('subject', 100), text('comment', 2000)]
);
if (number('parent') > 0) {
    change("UPDATE $table SET childs = childs + 1 WHERE id = ?", [number('parent')]);
}
$database->commit();
page('Said', link_to('view_story', 'Back to the story', ['story' => number('story', 1)]), LINKS);
