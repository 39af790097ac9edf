<?php
// What the pages of the news site have in common.

require __DIR__ . '/site.php';

// Links of every page.
const LINKS = ['stories_of_the_day', 'register', 'browse', 'submit_story', 'search', 'author_login'];

// Stories or comments on a page of a list.
const LISTED = 25;

// Visitors carry nothing: every form asks who they are.
function carried(array $more = []): array
{
    return $more;
}

// The day of the population, on which it stays: what is written today would leave a gap of years between new stories and older ones.
const TODAY = '2004-06-01';

// Now, as SQL writes it.
function moment(): string
{
    return TODAY . date(' H:i:s');
}

// The user who gave a name and a password; both follow from the number. Nobody else is user 1.
function known_user(string $field = 'user'): array
{
    $number = number($field, 1);
    $user = row(
        'SELECT id, nickname, access FROM users WHERE nickname = ? AND password = ?',
        ["user$number", "password$number"]
    );
    return $user ?? refused('No such user.');
}

// The author who gave a name and a password.
function known_author(): array
{
    $author = known_user('author');
    return (int) $author['access'] > 0 ? $author : refused('Not an author.');
}

// The story of this number, new or old, and the table of its comments.
function story(int $id): array
{
    $new = row('SELECT * FROM stories WHERE id = ?', [$id]);
    if ($new !== null) {
        return [$new, 'comments'];
    }
    $old = row('SELECT * FROM old_stories WHERE id = ?', [$id]);
    return [$old ?? refused('No such story.'), 'old_comments'];
}

// The table of comments that a request is about.
function comments_table(): string
{
    return text('table', 12) === 'old_comments' ? 'old_comments' : 'comments';
}

function refused(string $why): never
{
    http_response_code(404);
    page($why, '', LINKS);
    exit;
}

function stories(array $stories): string
{
    $lines = '';
    foreach ($stories as $story) {
        $lines .= '<li>' . link_to('view_story', $story['title'], ['story' => $story['id']]) . ', ' . $story['date'] . '</li>';
    }
    return "<ol>$lines</ol>";
}

// Links to comments, with what can be done with each.
function comments(array $comments, string $table): string
{
    $lines = '';
    foreach ($comments as $comment) {
        $of = ['comment' => $comment['id'], 'table' => $table];
        $lines .= '<li>' . link_to('view_comment', $comment['subject'], $of) . ', ' . $comment['rating'] . ' '
            . link_to('post_comment', 'Answer', ['story' => $comment['story_id'], 'parent' => $comment['id'], 'table' => $table])
            . ' ' . link_to('moderate_comment', 'Rate', $of) . '</li>';
    }
    return "<ol>$lines</ol>";
}

// A link to the next of a list.
function more(string $page, int $shown, array $fields): string
{
    return link_to($page, 'More', $fields + ['from' => $shown < LISTED ? 0 : number('from') + LISTED]);
}
