#!/bin/sh
# Serves the pages of this folder, whose data `prepare.sh` has made, until it is stopped. It needs nginx, php-fpm, php-mysql,
# mariadb-server and mariadb-client. PORT is where nginx listens.
set -eu
cd "$(dirname "$0")"
here=$(pwd)
port=${PORT:-8080}
mkdir -p run/temporary
chmod 700 run
# At its start, MariaDB removes temporary tables that it finds: those of other servers must not be there.
export TMPDIR="$here/run/temporary"
# One at a time: two servers on the same data would spoil it.
exec 9> run/lock
if ! flock --nonblock 9; then
    echo "$here: is in use already; stop that, or take a copy of the folder" >&2
    exit 1
fi
sed "s/@PORT@/$port/" conf/nginx.conf > run/nginx.conf
php=$(ls /usr/sbin/php-fpm* 2> /dev/null | head -n 1)
if [ -z "$php" ]; then
    echo 'php-fpm is not installed: install php-fpm and php-mysql' >&2
    exit 1
fi
servers=
trap 'kill $servers 2> /dev/null || true; wait' EXIT INT TERM
mariadbd --defaults-file="$here/conf/mariadb.cnf" --datadir="$here/data" --user="$(id -un)" \
    --socket="$here/run/mariadb.sock" --pid-file="$here/run/mariadb.pid" &
database=$!
servers="$servers $database"
until mariadb-admin --no-defaults --socket=run/mariadb.sock ping > /dev/null 2>&1; do
    kill -0 "$database"
    sleep 0.2
done
"$php" --allow-to-run-as-root --nodaemonize --prefix "$here" --fpm-config "$here/conf/php-fpm.conf" &
servers="$servers $!"
nginx -p "$here" -e run/nginx.log -c run/nginx.conf -g 'daemon off;' &
servers="$servers $!"
wait
