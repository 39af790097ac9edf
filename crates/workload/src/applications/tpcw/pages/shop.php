<?php
// What all pages of the shop have in common: the database, what visitors carry, and how a page is set.

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);

const SUBJECTS = [
    'ARTS', 'BIOGRAPHIES', 'BUSINESS', 'CHILDREN', 'COMPUTERS', 'COOKING', 'HEALTH', 'HISTORY', 'HOME', 'HUMOR',
    'LITERATURE', 'MYSTERY', 'NON-FICTION', 'PARENTING', 'POLITICS', 'REFERENCE', 'RELIGION', 'ROMANCE', 'SELF-HELP',
    'SCIENCE-NATURE', 'SCIENCE-FICTION', 'SPORTS', 'YOUTH', 'TRAVEL',
];

// Rows of lists (TPC-W, clause 2.7.3 and others).
const LISTED = 50;

// The database, by a connection that outlives the request. Nobody but this folder's owner reaches the server, so there is no password.
function database(): mysqli
{
    static $database = null;
    if ($database === null) {
        $database = new mysqli('p:localhost', 'root', '', 'site', 0, __DIR__ . '/../run/mariadb.sock');
        $database->set_charset('latin1');
    }
    return $database;
}

// Rows of a query, by a prepared statement.
function rows(string $query, array $values = []): array
{
    return database()->execute_query($query, $values)->fetch_all(MYSQLI_ASSOC);
}

// The first row, or null.
function row(string $query, array $values = []): ?array
{
    return database()->execute_query($query, $values)->fetch_assoc();
}

// Changes something; the number that was given to a new row.
function change(string $query, array $values = []): int
{
    database()->execute_query($query, $values);
    return (int) database()->insert_id;
}

function number(string $name, int $default = 0): int
{
    $value = $_REQUEST[$name] ?? '';
    return is_string($value) && ctype_digit($value) ? (int) $value : $default;
}

function text(string $name, int $most, string $default = ''): string
{
    $value = $_REQUEST[$name] ?? $default;
    return is_string($value) ? substr($value, 0, $most) : $default;
}

// What a visitor carries from page to page: who it is, and which cart it has.
function carried(array $more = []): array
{
    $known = ['c_id' => number('c_id'), 'shopping_id' => number('shopping_id')];
    return array_merge(array_filter($known), $more);
}

function escaped(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES, 'ISO-8859-1');
}

function link_to(string $page, string $text, array $fields = []): string
{
    $query = http_build_query(carried($fields));
    $target = $query === '' ? "$page.php" : "$page.php?$query";
    return '<a href="' . escaped($target) . '">' . escaped($text) . '</a>';
}

function hidden(array $fields): string
{
    $inputs = '';
    foreach ($fields as $name => $value) {
        $inputs .= '<input type="hidden" name="' . escaped($name) . '" value="' . escaped((string) $value) . '">';
    }
    return $inputs;
}

function input(string $name, string $label, string $value = ''): string
{
    return '<label>' . escaped($label) . ' <input name="' . escaped($name) . '" value="' . escaped($value) . '"></label>';
}

function select(string $name, array $values): string
{
    $options = '';
    foreach ($values as $value) {
        $options .= '<option value="' . escaped($value) . '">' . escaped($value) . '</option>';
    }
    return '<select name="' . escaped($name) . '">' . $options . '</select>';
}

// A form that leads to a page, with what the visitor carries and these hidden fields beside its own inputs.
function form(string $page, string $method, string $inputs, array $fields = []): string
{
    return "<form action=\"$page.php\" method=\"$method\">" . hidden(carried($fields)) . $inputs
        . '<input type="submit" value="Go"></form>';
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

// Links that a page ends with.
function navigation(array $pages): string
{
    $names = [
        'home' => 'Home',
        'search_request' => 'Search',
        'shopping_cart' => 'Shopping cart',
        'order_inquiry' => 'Order status',
    ];
    $links = array_map(fn ($page) => link_to($page, $names[$page]), $pages);
    return '<p>' . implode(' | ', $links) . '</p>';
}

function page(string $title, string $body, array $pages): void
{
    header('Content-Type: text/html; charset=ISO-8859-1');
    echo '<!DOCTYPE html><html><head><title>', escaped($title), '</title></head><body><h1>', escaped($title), '</h1>', $body,
        navigation($pages), '</body></html>';
}
