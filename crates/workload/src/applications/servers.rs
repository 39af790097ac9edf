//! Configurations of the servers, and how they are started.

/// What every database's folder has, by its path there.
pub(super) const FILES: [(&str, &str); 6] = [
    ("pages/site.php", include_str!("servers/site.php")),
    ("conf/mariadb.cnf", include_str!("servers/mariadb.cnf")),
    ("prepare.sh", include_str!("servers/prepare.sh")),
    ("conf/nginx.conf", include_str!("servers/nginx.conf")),
    ("conf/php-fpm.conf", include_str!("servers/php-fpm.conf")),
    ("serve.sh", include_str!("servers/serve.sh")),
];
