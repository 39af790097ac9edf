<?php
// What the pages of the shop have in common.

require __DIR__ . '/site.php';

const SUBJECTS = [
    'ARTS', 'BIOGRAPHIES', 'BUSINESS', 'CHILDREN', 'COMPUTERS', 'COOKING', 'HEALTH', 'HISTORY', 'HOME', 'HUMOR',
    'LITERATURE', 'MYSTERY', 'NON-FICTION', 'PARENTING', 'POLITICS', 'REFERENCE', 'RELIGION', 'ROMANCE', 'SELF-HELP',
    'SCIENCE-NATURE', 'SCIENCE-FICTION', 'SPORTS', 'YOUTH', 'TRAVEL',
];

// Rows of lists (TPC-W, clause 2.7.3 and others).
const LISTED = 50;

// What a visitor carries from page to page: who it is, and which cart it has.
function carried(array $more = []): array
{
    $known = ['c_id' => number('c_id'), 'shopping_id' => number('shopping_id')];
    return array_merge(array_filter($known), $more);
}

// Links to products, as lists show them.
function products(array $items): string
{
    $lines = '';
    foreach ($items as $item) {
        $by = isset($item['a_lname']) ? ' by ' . escaped($item['a_fname'] . ' ' . $item['a_lname']) : '';
        $lines .= '<li>' . link_to('product_detail', $item['i_title'], ['i_id' => $item['i_id']]) . $by . '</li>';
    }
    return "<ol>$lines</ol>";
}

// An item at random. Numbers of items have no gaps.
function random_item(): int
{
    $last = row('SELECT MAX(i_id) AS last FROM item');
    return random_int(1, max(1, (int) $last['last']));
}

// The five items that are shown beside pages (TPC-W, clause 2.3.3.1).
function promotions(): string
{
    $items = rows(
        'SELECT other.i_id, other.i_title FROM item JOIN item AS other ON other.i_id IN
           (item.i_related1, item.i_related2, item.i_related3, item.i_related4, item.i_related5)
         WHERE item.i_id = ?',
        [random_item()]
    );
    return '<h2>What others liked</h2>' . products($items);
}

// The lines of a cart, with their items.
function cart_lines(int $cart): array
{
    return rows(
        'SELECT scl_i_id, scl_qty, i_title, i_cost, i_stock FROM shopping_cart_line JOIN item ON i_id = scl_i_id
         WHERE scl_sc_id = ? ORDER BY scl_i_id LIMIT 100',
        [$cart]
    );
}

function total(array $lines): float
{
    $costs = array_map(fn ($line) => $line['i_cost'] * $line['scl_qty'], $lines);
    return array_sum($costs);
}

function lines_shown(array $lines): string
{
    $shown = '';
    foreach ($lines as $line) {
        $shown .= '<li>' . $line['scl_qty'] . ' x ' . escaped($line['i_title']) . ' at ' . $line['i_cost'] . '</li>';
    }
    return "<ul>$shown</ul><p>Together " . sprintf('%.2f', total($lines)) . '</p>';
}
