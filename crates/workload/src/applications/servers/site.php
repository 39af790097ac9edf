<?php
// What the pages of all sites have in common: the database, requests, and how a page is set. A site says by `carried` what its
// visitors carry from page to page.

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);

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

// Links that a page ends with, by the names of their pages.
function navigation(array $pages): string
{
    $links = [];
    foreach ($pages as $page) {
        $links[] = link_to($page, ucfirst(str_replace('_', ' ', $page)));
    }
    return '<p>' . implode(' | ', $links) . '</p>';
}

function page(string $title, string $body, array $pages): void
{
    header('Content-Type: text/html; charset=ISO-8859-1');
    echo '<!DOCTYPE html><html><head><title>', escaped($title), '</title></head><body><h1>', escaped($title), '</h1>', $body,
        navigation($pages), '</body></html>';
}
