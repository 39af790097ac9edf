"""Containers of Podman's on the emulated machine: nginx in one, and hotset in one. docs/how-to/containers.md has the same commands."""

import time

from image import CONTAINER
from shop import PATIENCE_SECONDS, PLAN, ROOT, SCENARIO, expect

# Not the port of the machine's own nginx.
PORT = 8080
PID_FILE = "/run/web.pid"
WEB = f"podman run -d --name web --pidfile {PID_FILE} --network host -v {ROOT}:{ROOT}:ro -v /var/log/web:/var/log/nginx" \
      " localhost/nginx"
NGINX = f"server {{ listen {PORT}; root {ROOT}; }}"
# Rights: to lock memory, and to read files and logs of others.
HOTSET = "podman run -d --name hotset --cap-drop all --cap-add IPC_LOCK,DAC_READ_SEARCH --pid host --cgroupns host --network none" \
         " -v /sys/fs/cgroup:/sys/fs/cgroup -v /run/hotset:/run/hotset -v /var/lib/hotset:/var/lib/hotset -v /etc/hotset:/etc/hotset:ro" \
         f" -v /var/log/nginx:/var/log/nginx:ro -v {ROOT}:{ROOT}:ro -v /usr/local/bin/hotset:/usr/bin/hotset:ro localhost/nginx" \
         " hotset run /etc/hotset/sites.toml --interval 5s --server cgroup:/sys/fs/cgroup/system.slice/nginx.service"


def build(machine):
    """Makes the image of the archive that mmdebstrap made."""
    machine.run(f"podman image exists localhost/nginx || podman import --quiet /{CONTAINER} localhost/nginx")


def serve(machine, deed="start"):
    """Has nginx serve the site in a container, from now on or anew."""
    if deed == "restart":
        machine.run("podman restart web")
    else:
        machine.run(f"mkdir -p /var/log/web && {WEB} sh -c \"echo '{NGINX}' > /etc/nginx/sites-enabled/default"
                    " && exec nginx -g 'daemon off;'\"")
    wait(machine, f"curl -sf -o /dev/null http://localhost:{PORT}/d0000/file0000001.html")


def wait(machine, line):
    """Until a line of shell ends well."""
    started = time.monotonic()
    while machine.run(line, check=False).returncode and time.monotonic() - started < PATIENCE_SECONDS:
        time.sleep(1)


def names(machine):
    """How the container's server is named for hotset."""
    container = machine.read("podman inspect -f '{{.Id}}' web")
    return [f"pid:{PID_FILE}", f"unit:libpod-{container}.scope"]


def kept_bytes(machine):
    """Memory charged to nginx in the container that the kernel cannot evict."""
    group = machine.read(f"cut -d: -f3 /proc/$(cat {PID_FILE})/cgroup")
    return int(machine.read(f"awk '$1 == \"unevictable\" {{print $2}}' /sys/fs/cgroup{group}/memory.stat"))


def is_held(shop, name):
    """Applies the plan for the container."""
    done = shop.machine.run(f"hotset apply {PLAN} --root all={ROOT} --server {name}", check=False)
    expect(f"apply --server {name[:20]} ends with exit code 0", done.returncode == 0, done.stderr.strip())
    is_paid(shop)


def is_paid(shop, kept_bytes=lambda shop: kept_bytes(shop.machine)):
    """Waits until nginx' group pays for all that is held."""
    started = time.monotonic()
    while True:
        code, status = shop.status()
        held, kept = status["memory"]["held_bytes"], kept_bytes(shop)
        if (code == 0 and kept == held > 0) or time.monotonic() - started > PATIENCE_SECONDS:
            break
    expect("nginx' group pays for what is held", code == 0 and kept == held > 0, f"{kept} of {held} bytes")
    shop.holders_are_safe()


def holds(shop):
    """hotset in a container follows the log of nginx outside of it, and holds files in its name; when it is stopped, nothing is left."""
    machine, before = shop.machine, shop.kept_bytes()
    machine.run("mkdir -p /etc/hotset /run/hotset /var/lib/hotset && cat > /etc/hotset/sites.toml", input=SCENARIO)
    machine.run(HOTSET)
    time.sleep(5)
    shop.chosen_files_are_held(ask=True)
    is_paid(shop, lambda shop: shop.kept_bytes() - before)
    shop.serves()
    machine.run("podman stop -t 120 hotset")
    told = machine.read("podman logs hotset | tail -1")
    expect("it ends by itself", told.endswith("event=stopped"), told)
    remove(machine, "hotset")
    shop.charged(0, before)


def remove(machine, name):
    """Removes a container."""
    machine.run(f"podman rm -f -t 2 {name}")
