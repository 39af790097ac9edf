#!/bin/sh
# Makes the data of MariaDB from the tables of this folder. It needs mariadb-server and mariadb-client.
set -eu
cd "$(dirname "$0")"
here=$(pwd)
mkdir -p data run/temporary
chmod 700 data run
# At its start, MariaDB removes temporary tables that it finds: those of other servers must not be there.
export TMPDIR="$here/run/temporary"
# One at a time: two servers on the same data would spoil it.
exec 9> run/lock
if ! flock --nonblock 9; then
    echo "$here: is in use already; stop that, or take a copy of the folder" >&2
    exit 1
fi
mariadb-install-db --defaults-file="$here/conf/mariadb.cnf" --datadir="$here/data" --user="$(id -un)" \
    --auth-root-authentication-method=normal --skip-test-db > /dev/null
mariadbd --defaults-file="$here/conf/mariadb.cnf" --datadir="$here/data" --user="$(id -un)" \
    --socket="$here/run/mariadb.sock" --pid-file="$here/run/mariadb.pid" --innodb-buffer-pool-size=256M &
server=$!
trap 'kill "$server" 2> /dev/null || true' EXIT
until mariadb-admin --no-defaults --socket=run/mariadb.sock ping > /dev/null 2>&1; do
    kill -0 "$server"
    sleep 0.2
done
mariadb --no-defaults --socket=run/mariadb.sock --execute='CREATE DATABASE site CHARACTER SET latin1'
for file in schema load indexes; do
    mariadb --no-defaults --local-infile=1 --socket=run/mariadb.sock site < "$file.sql" > /dev/null
done
# Nothing is left to be done when visitors come.
mariadb --no-defaults --socket=run/mariadb.sock --execute='SET GLOBAL innodb_fast_shutdown = 0'
kill "$server"
wait "$server"
trap - EXIT
