//! Configurations of the servers, and how they are started.

/// What every database's folder has.
pub(super) const DATABASE: [(&str, &str); 2] = [
    ("conf/mariadb.cnf", include_str!("servers/mariadb.cnf")),
    ("prepare.sh", include_str!("servers/prepare.sh")),
];

/// What serves scripts of PHP.
pub(super) const PHP: [(&str, &str); 3] = [
    ("conf/nginx.conf", include_str!("servers/nginx.conf")),
    ("conf/php-fpm.conf", include_str!("servers/php-fpm.conf")),
    ("serve.sh", include_str!("servers/serve.sh")),
];
