<?php
// What the pages of the auction site have in common.

require __DIR__ . '/site.php';

// Links of every page.
const LINKS = ['home', 'register', 'browse', 'sell', 'about_me_auth'];

// Items on a page of a list.
const LISTED = 20;

// Visitors carry nothing: every form asks who they are.
function carried(array $more = []): array
{
    return $more;
}

// The user who gave a name and a password; both follow from the number.
function known_user(): array
{
    $number = number('user', 1);
    $user = row(
        'SELECT id, nickname, firstname, lastname FROM users WHERE nickname = ? AND password = ?',
        ["user$number", "password$number"]
    );
    return $user ?? refused('No such user.');
}

// The item of this number, whether it is being sold or was sold.
function item(int $id): array
{
    $item = row('SELECT * FROM items WHERE id = ?', [$id]) ?? row('SELECT * FROM old_items WHERE id = ?', [$id]);
    return $item ?? refused('No such item.');
}

function refused(string $why): never
{
    http_response_code(404);
    page($why, '', LINKS);
    exit;
}

// Items, as lists show them, and a link to the next ones.
function listed(array $items, string $page, array $fields): string
{
    $lines = '';
    foreach ($items as $item) {
        $of = ['item' => $item['id']];
        $lines .= '<li>' . link_to('view_item', $item['name'], $of) . ' at ' . $item['max_bid'] . ', ' . $item['nb_of_bids']
            . ' bids, until ' . $item['end_date'] . ' ' . link_to('put_bid_auth', 'Bid', $of) . '</li>';
    }
    $next = number('from') + LISTED;
    return "<ol>$lines</ol>" . link_to($page, 'More', $fields + ['from' => count($items) < LISTED ? 0 : $next]);
}

// What a user signs in with.
function sign_in(string $page, array $fields = []): string
{
    return form($page, 'post', input('user', 'User'), $fields);
}
