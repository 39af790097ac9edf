<?php
// Search request (TPC-W, clause 2.9): a form each for author, title and subject.

require __DIR__ . '/shop.php';

$body = promotions()
    . form('search_results', 'get', input('author', 'Author'), ['by' => 'author'])
    . form('search_results', 'get', input('title', 'Title'), ['by' => 'title'])
    . form('search_results', 'get', select('subject', SUBJECTS), ['by' => 'subject']);
page('Search', $body, ['home', 'shopping_cart']);
