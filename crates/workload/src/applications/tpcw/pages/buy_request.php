<?php
// Buy request (TPC-W, clause 2.8): makes a customer known, or new ones customers, and shows what is to be bought.

require __DIR__ . '/shop.php';

// The customer of this name, whose session begins.
function known_customer(): ?array
{
    $customer = row(
        'SELECT c_id, c_fname, c_lname, c_discount, c_addr_id FROM customer WHERE c_uname = ? AND c_passwd = ?',
        [text('uname', 20), strtolower(text('passwd', 20))]
    );
    if ($customer !== null) {
        change(
            'UPDATE customer SET c_login = NOW(), c_expiration = NOW() + INTERVAL 2 HOUR WHERE c_id = ?',
            [$customer['c_id']]
        );
    }
    return $customer;
}

function new_customer(): array
{
    $country = row('SELECT co_id FROM country WHERE co_name = ?', [text('country', 50)]);
    $where = [
        text('street1', 40), text('street2', 40), text('city', 30), text('state', 20), text('zip', 10),
        $country === null ? 1 : (int) $country['co_id'],
    ];
    $address = row(
        'SELECT addr_id FROM address WHERE addr_street1 = ? AND addr_street2 = ? AND addr_city = ? AND addr_state = ?
           AND addr_zip = ? AND addr_co_id = ?',
        $where
    );
    $address = $address === null
        ? change(
            'INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)
             VALUES (?, ?, ?, ?, ?, ?)',
            $where
        )
        : (int) $address['addr_id'];
    $discount = random_int(0, 50);
    $customer = change(
        'INSERT INTO customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since, c_last_visit, c_login,
           c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data)
         VALUES (\'\', \'\', ?, ?, ?, ?, ?, CURDATE(), CURDATE(), NOW(), NOW() + INTERVAL 2 HOUR, ?, 0, 0, \'1970-01-01\', ?)',
        [
            text('fname', 15), text('lname', 15), $address, text('phone', 16), text('email', 50), $discount,
            text('data', 500),
        ]
    );
    // A syllable for each digit, as the population names its customers.
    $syllables = ['BA', 'OG', 'AL', 'RI', 'RE', 'SE', 'AT', 'UL', 'IN', 'NG'];
    $name = implode('', array_map(fn ($digit) => $syllables[(int) $digit], str_split((string) $customer)));
    change('UPDATE customer SET c_uname = ?, c_passwd = ? WHERE c_id = ?', [$name, strtolower($name), $customer]);
    return [
        'c_id' => $customer, 'c_fname' => text('fname', 15), 'c_lname' => text('lname', 15), 'c_discount' => $discount,
        'c_addr_id' => $address,
    ];
}

$database = database();
$database->begin_transaction();
$customer = number('new') === 1 ? new_customer() : known_customer();
$database->commit();
if ($customer === null) {
    http_response_code(403);
    page('Who are you?', '<p>No such user, or another password.</p>', ['home', 'shopping_cart']);
    return;
}
$_REQUEST['c_id'] = (string) $customer['c_id'];
$address = row('SELECT * FROM address JOIN country ON co_id = addr_co_id WHERE addr_id = ?', [$customer['c_addr_id']]);
$lines = cart_lines(number('shopping_id'));
$inputs = select('cc_type', ['VISA', 'MASTERCARD', 'DISCOVER', 'AMEX', 'DINERS']) . input('cc_number', 'Number')
    . input('cc_name', 'Name on the card') . select('ship_type', ['AIR', 'UPS', 'FEDEX', 'SHIP', 'COURIER', 'MAIL']);
$body = '<p>' . escaped($customer['c_fname'] . ' ' . $customer['c_lname']) . ', ' . escaped($address['addr_street1'] ?? '')
    . ', ' . escaped($address['addr_city'] ?? '') . ', ' . escaped($address['co_name'] ?? '') . '</p>'
    . lines_shown($lines) . form('buy_confirm', 'post', $inputs);
page('Your order', $body, ['home', 'shopping_cart']);
