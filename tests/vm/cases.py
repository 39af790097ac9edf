"""What is proven. Each function is a case; the first line of its comment says what holds."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import container
import package as debian
from machine import Machine
from shop import APPLY, FLOOR_BYTES, PATIENCE_SECONDS, PLAN, ROOT, SCENARIO, STATE, Failed, Shop, expect

OPTIONS = 'HOTSET_OPTIONS="--server unit:nginx --interval 5s"\n'
# What docs/how-to has of systemd, cron and Ansible.
EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
RECIPE = EXAMPLES / "systemd"
# The least exposed that the unit can be and still do its work, in tenths: see docs/how-to/follow-the-traffic.md.
MOST_EXPOSURE = 49
VERSIONS = ["0.1.0", "0.1.1"]
# Some hundred figures, each for a second or more, beside compilers.
PROBE_SECONDS = 3600


def hold(shop, *more):
    """Applies the plan and looks at everything that has to hold then; the bytes that are held."""
    before = shop.kept_bytes()
    applied = shop.apply(*more)
    charge = applied["charge"]
    expect("apply proves the charge", charge["missing_bytes"] == 0, f"{charge['before_bytes']} -> {charge['after_bytes']}")
    held_bytes = shop.is_held()
    shop.charged(held_bytes, before)
    shop.holders_are_safe()
    shop.serves()
    return held_bytes


def pin(machine):
    """A plan is locked in nginx' name, checked, and taken back without a trace."""
    shop = Shop(machine)
    expect("the kernel has no cachestat", shop.kernel() < (6, 5), shop.kernel())
    before, properties = shop.kept_bytes(), shop.properties()
    hold(shop)
    shop.release()
    shop.charged(0, before)
    expect("the unit's properties are as they were", shop.properties() == properties)


def hot_root(machine):
    """Copies are made in nginx' name on a kernel whose tmpfs may be swapped out, served, and taken back."""
    shop = Shop(machine)
    for deed in ["swapoff -a", "fallocate -l 64M /swap && chmod 600 /swap && mkswap -q /swap && swapon /swap"]:
        machine.run(deed)
        before = shop.kept_bytes()
        hold(shop, "--placer", "hot-root")
        print(f"  on {machine.read(f'findmnt -no FSTYPE {STATE}/copies')} after `{deed[:7]}`")
        shop.restart()
        shop.release()
        shop.serves()
        shop.charged(0, before)
    machine.run("swapoff /swap && rm /swap")


def restart(machine):
    """nginx is started anew, in a new group: everything is placed again, and no holder dies with the old group."""
    shop = Shop(machine)
    hold(shop)
    for deed in ["systemctl restart nginx", "systemctl kill -s KILL nginx; sleep 1; systemctl restart nginx"]:
        shop.restart(deed)
    workers = shop.workers()
    machine.run("systemctl stop nginx && sleep 3")
    expect("what is held stays held while nginx is down", shop.workers() == workers and shop.status()[0] == 0)
    shop.restart("systemctl start nginx")
    shop.release()


def daemon_reload(machine):
    """`systemctl daemon-reload` takes nothing away."""
    shop = Shop(machine)
    properties = shop.properties()
    held_bytes = hold(shop)
    applied = shop.properties()
    machine.run("systemctl daemon-reload && systemctl daemon-reexec && sleep 2")
    expect("the unit's properties are as apply left them", shop.properties() == applied)
    expect("it is still held", shop.is_held() == held_bytes)
    shop.release()
    expect("the unit's properties are as they were", shop.properties() == properties)


def reboot(machine):
    """After a new start of the machine nothing is held, release finds the state, and the plan can be applied anew."""
    shop = Shop(machine)
    properties = shop.properties()
    hold(shop)
    machine.reboot()
    code, status = shop.status()
    expect("status says that it is not held", code == 3 and status["state"] == "degraded", status["faults"])
    shop.release()
    expect("the unit's properties are as they were", shop.properties() == properties)
    hold(shop)
    machine.reboot()
    print("  without a release in between:")
    hold(shop)
    shop.release()


def from_unit(machine):
    """A plan that is applied by a unit of its own, such as a timer's, stays held when that unit has ended."""
    shop = Shop(machine)
    before = shop.kept_bytes()
    machine.run(f"systemd-run --quiet --wait --collect {APPLY}")
    time.sleep(2)
    shop.charged(shop.is_held(), before)
    shop.holders_are_safe()
    shop.release()


def nightly(machine):
    """The recipe for every night: the timer's unit plans and holds, holds anew when it is asked again, and at boot."""
    shop = Shop(machine)
    for unit in ["hotset-apply.service", "hotset-apply.timer"]:
        machine.run(f"cat > /etc/systemd/system/{unit}", input=(RECIPE / unit).read_text())
    write_scenario(machine)
    machine.run("systemctl daemon-reload && systemctl enable --quiet hotset-apply.service hotset-apply.timer")
    verified = machine.run("systemd-analyze verify --man=no hotset-apply.service hotset-apply.timer", check=False)
    expect("systemd-analyze verify finds nothing", verified.returncode == 0, verified.stdout + verified.stderr)
    before = shop.kept_bytes()
    machine.run("systemctl start hotset-apply.timer hotset-apply.service")
    shop.chosen_by_the_unit(before)
    plan = shop.state()["files"]
    machine.run("tail -n 3500 /srv/access.log > /srv/fewer && mv /srv/fewer /srv/access.log && systemctl start hotset-apply.service")
    shop.chosen_by_the_unit(before)
    expect("the next night holds other files", shop.state()["files"] != plan)
    machine.reboot()
    shop.chosen_by_the_unit(0)
    expect("the timer waits", "hotset-apply.timer" in machine.read("systemctl list-timers --plain --no-legend"))
    machine.run("systemctl disable --quiet --now hotset-apply.timer hotset-apply.service"
                " && rm -r /etc/systemd/system/hotset-apply.* /etc/hotset && systemctl daemon-reload")
    shop.release()


def write_scenario(machine):
    """Writes the recipes' scenario, for what there is here."""
    scenario = (RECIPE / "sites.toml").read_text()
    for was, is_here in [("/var/log/nginx/access.log*", "/srv/access.log"), ("8GiB", "24MiB"), ("1GiB", "16MiB"), ("nvme", "hdd")]:
        scenario = scenario.replace(was, is_here)
    machine.run("mkdir -p /etc/hotset && cat > /etc/hotset/sites.toml", input=scenario)


def cron(machine):
    """The recipe for cron holds files every night and at boot, and they stay held when cron ends."""
    shop = Shop(machine)
    write_scenario(machine)
    before = shop.kept_bytes()
    # Every minute is a night, and nobody waits for a minute after the boot. Debian's package is in cron's path, this program is not.
    recipe = (EXAMPLES / "cron/hotset").read_text().replace("30 4 * * *", "* * * * *").replace("sleep 60", "sleep 1")
    machine.run("ln -s /usr/local/bin/hotset /usr/bin/hotset && cat > /etc/cron.d/hotset", input=recipe)
    shop.chosen_by_the_unit(before)
    recipe = "".join(line for line in recipe.splitlines(keepends=True) if not line.startswith("*"))
    machine.run("cat > /etc/cron.d/hotset && sleep 60 && systemctl restart cron", input=recipe)
    shop.chosen_by_the_unit(before)
    machine.reboot()
    shop.chosen_by_the_unit(0)
    machine.run("rm -r /etc/cron.d/hotset /etc/hotset /usr/bin/hotset")
    shop.release()


def pushed(machine):
    """The playbook holds a plan's files on two machines, changes nothing the second time, and stops at the first that fails."""
    shop = Shop(machine)
    with Machine(machine.image) as other, tempfile.TemporaryDirectory() as folder:
        other.copy(machine.program, "/usr/local/bin/hotset")
        shops = [shop, Shop(other)]
        plan = Path(folder) / "plan.json"
        plan.write_text(machine.read(f"cat {PLAN}"))
        before = [shop.kept_bytes() for shop in shops]
        said = push(shops, plan, "--check")
        expect("with --check nothing is held", all("state" not in shop.machine.read("ls /var/lib/hotset || true") for shop in shops), said)
        said = push(shops, plan)
        for shop, kept in zip(shops, before):
            shop.charged(shop.is_held(), kept)
        expect("it says that both have changed", said.count("changed=2") + said.count("changed=1") == len(shops), said[-300:])
        said = push(shops, plan)
        expect("the second time it changes nothing", said.count("changed=0") == len(shops), said[-300:])
        shops[0].machine.run("systemctl stop nginx")
        said = push(shops, plan, succeeds=False)
        expect("a machine without nginx stops the rest", "second" not in said.split("PLAY RECAP")[0], said[-300:])
        shops[0].machine.run("systemctl start nginx")
        for shop in shops:
            shop.release()


def push(shops, plan, *more, succeeds=True):
    """Runs the playbook for the machines of these sites; what it prints."""
    hosts = zip(["first", "second"], [shop.machine for shop in shops])
    inventory = plan.with_name("inventory")
    inventory.write_text("".join(f"{name} ansible_host=127.0.0.1 ansible_port={host.port} ansible_user=root"
                                 f" ansible_ssh_private_key_file={host.image.key}\n" for name, host in hosts))
    options = "-F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=120"
    command = ["ansible-playbook", "-i", inventory, "-e", f"plan={plan}", "-e", f"root={ROOT}", EXAMPLES / "ansible/hold.yml", *more]
    environment = os.environ | {"ANSIBLE_SSH_COMMON_ARGS": options, "ANSIBLE_NOCOLOR": "1", "ANSIBLE_TIMEOUT": "300"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if (done.returncode == 0) != succeeds:
        raise Failed(f"ansible-playbook: exit code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def podman(machine):
    """nginx in a container of Podman's pays for what hotset holds, whether hotset is beside it or in a container as well."""
    shop = Shop(machine)
    container.build(machine)
    container.serve(machine)
    for name in container.names(machine):
        container.is_held(shop, name)
        container.serve(machine, "restart")
        container.is_paid(shop)
        shop.release()
    container.remove(machine, "web")
    container.holds(shop)
    machine.run("rm -rf /etc/hotset /var/lib/hotset /run/hotset /var/log/web")


def killed_together(machine):
    """Copies whose guardian and worker are killed in one go are taken away: nobody would keep them up to date."""
    shop = Shop(machine)
    before = shop.kept_bytes()
    hold(shop, "--placer", "hot-root")
    machine.run("pkill -KILL -x hotset")
    shop.copies_are_withdrawn()
    shop.serves()
    expect("status ends with exit code 3", shop.status()[0] == 3)
    shop.release()
    shop.charged(0, before)


def file_replaced(machine):
    """A file that is replaced by rename is held again as it is now, on a kernel without cachestat."""
    shop = Shop(machine)
    hold(shop)
    file = ROOT + shop.paths[0]
    machine.run(f"cp -p {file} /srv/new && echo changed >> /srv/new && chown www-data /srv/new && mv /srv/new {file}")
    time.sleep(3)
    shop.is_held()
    shop.serves()
    shop.release()


def floors(machine):
    """The memory group that a plan gives the site keeps its page cache through a scan, also after new starts."""
    shop = Shop(machine)
    before, properties = shop.floors(), shop.properties()
    kept = shop.page_cache_after_a_scan()
    expect("without a floor, the scan evicts it", kept < FLOOR_BYTES // 2, f"{kept} bytes kept")
    shop.apply(plan=shop.plan_with_group())
    for deed in ["true", "systemctl daemon-reload", "systemctl restart nginx", "systemctl stop nginx; systemctl start nginx"]:
        machine.run(deed)
        shop.has_floors(deed)
        kept = shop.page_cache_after_a_scan()
        expect("the scan leaves it", kept >= FLOOR_BYTES, f"{kept} bytes kept")
    shop.release()
    expect("all floors are as they were", shop.floors() == before, before)
    expect("the unit's properties are as they were", shop.properties() == properties)
    shop.apply(plan=shop.plan_with_group())
    machine.reboot()
    shop.has_floors("systemctl reboot")
    kept = shop.page_cache_after_a_scan()
    expect("the scan leaves it, with nothing of hotset running", kept >= FLOOR_BYTES, f"{kept} bytes kept")
    shop.release()
    expect("all floors are as they were", shop.floors() == before, before)
    expect("the unit's properties are as they were", shop.properties() == properties)


def scope(machine):
    """A scope, which has no main process, is found by its name, and what it is guaranteed outlasts `daemon-reload`."""
    shop = Shop(machine)
    machine.run("systemd-run --scope --slice=system --unit=aside sleep 6000 > /dev/null 2>&1 < /dev/null & sleep 2")
    shop.apply(plan=shop.plan_with_group(), unit="aside.scope")
    for deed in ["true", "systemctl daemon-reload"]:
        machine.run(deed)
        shop.has_floors(deed, "aside.scope")
    low = machine.read("systemctl show --property=MemoryLow --value aside.scope")
    expect("systemd knows it", int(low) >= FLOOR_BYTES, low)
    shop.release()
    left = machine.read("find /etc/systemd /run/systemd -name '90-hotset*'")
    expect("no drop-in is left", left == "", left)
    low = machine.read(f"cat {shop.group('aside.scope')}/memory.low")
    expect("its floor is as it was", low == "0", low)
    machine.run("systemctl stop aside.scope")


def overfull(machine):
    """When a process of nginx' unit suddenly takes what is held and more, files are given up and nobody is killed."""
    shop = Shop(machine)
    machine.run("systemctl set-property --runtime nginx MemoryMax=48M")
    before = shop.floors()
    shop.apply(plan=shop.plan_of_everything())
    held = shop.status()[1]["sites"][0]["held"]["objects"]
    shop.takes_at_once(32 << 20)
    shop.gives_way(held)
    shop.serves()
    shop.release()
    expect("all limits are as they were", shop.floors() == before, before)
    machine.run("systemctl revert nginx")


def administrator(machine):
    """What an administrator sets by systemctl after apply is there when everything is released."""
    shop = Shop(machine)
    properties = shop.properties()
    shop.apply(plan=shop.plan_with_group())
    machine.run("systemctl set-property nginx MemoryLow=1M MemoryMax=400M")
    shop.release()
    low, most = machine.read("systemctl show --property=MemoryLow,MemoryMax --value nginx").split()
    expect("the unit has what was set", (low, most) == (str(1 << 20), str(400 << 20)), (low, most))
    low = machine.read(f"cat {shop.group()}/memory.low")
    expect("the kernel has it, too", low == str(1 << 20), low)
    machine.run("systemctl revert nginx")
    expect("without it, properties are as they were", shop.properties() == properties, shop.properties())


def bind_over_nfs(machine):
    """Copies are mounted over files of NFS v4: serving them asks the server nothing, and a change there is seen."""
    shop = Shop(machine)
    shop.move_to_nfs()
    reads = shop.nfs_reads()
    shop.serves()
    expect("plain nginx reads from the NFS server", shop.nfs_reads() > reads, f"{shop.nfs_reads() - reads} reads")
    hold(shop, "--placer", "bind")
    reads = shop.nfs_reads()
    shop.serves()
    expect("serving held files reads nothing from it", shop.nfs_reads() == reads)
    for change in ["echo in place >> {0}", "cp -p {0} /srv/new && echo renamed >> /srv/new && mv /srv/new {0}"]:
        machine.run(change.format(ROOT + shop.paths[0]))
        changed = time.monotonic()
        shop.serves_within_patience()
        bound = shop.status()[1]["staleness_ms"]
        expect("how stale a copy may be is known", bound is not None,
               f"at most {bound} ms; the change was served after {time.monotonic() - changed:.1f} s, looking for it included")
    shop.restart()
    shop.release()
    shop.serves()
    shop.leave_nfs()


def probe_over_nfs(machine):
    """On mounts of NFS 3 and 4.2, `hotset probe` has all figures, asks the server for them, and makes profiles that simulations take."""
    machine.run("mkdir -p /srv/probed /mnt/probed /etc/nfs.conf.d && printf '[nfsd]\\ngrace-time=10\\nlease-time=10\\n' > /etc/nfs.conf.d/grace.conf"
                " && echo '/srv/probed 127.0.0.1(rw,sync,no_root_squash,no_subtree_check,insecure)' > /etc/exports"
                " && systemctl restart nfs-server && sleep 15 && exportfs -ra")
    machine.run("cat > /root/mounted.toml", input=MOUNTED)
    machine.run("cat > /root/look.fio", input="[look]\nrw=randread\nbs=4k\nsize=16m\n")
    for version in ["3", "4.2"]:
        machine.run(f"mount -t nfs -o vers={version},nolock 127.0.0.1:/srv/probed /mnt/probed")
        lookups = nfs_lookups(machine, version)
        found = probe_in_background(machine, "/mnt/probed")
        expect("the mount is known", found["file_system"]["network"]["version"] == version, found["file_system"]["network"])
        has_all_figures(found)
        asked = 8 * found["mount"]["round_trip"]["samples"]
        seen = nfs_lookups(machine, version) - lookups
        expect("each name that is not there is asked of the server", seen >= asked, f"{seen} lookups, {asked} samples")
        expect("nothing is left", machine.read("ls -A /mnt/probed") == "")
        for store in ["--profile mount.toml", "--scenario mounted.toml --store shared"]:
            told = json.loads(machine.read(f"cd /root && hotset simulate fio look.fio {store} --json"))
            expect(f"a job is simulated by {store}", len(told["jobs"]) == 1)
        machine.run("umount /mnt/probed")
    machine.run("systemctl stop nfs-server && rm -rf /srv/probed /mnt/probed")


MOUNTED = """server_profile = "servers.toml"
[[node]]
name = "web1"
memory = "1GiB"
[[node]]
name = "file1"
memory = "1GiB"
server = "files"
[[link]]
node = "file1"
rate = "1Gbit"
[[store]]
name = "brick"
profile = "ssd"
[[store]]
name = "shared"
profile = "mount.toml"
kind = "nfs4"
servers = "file1"
on = "brick"
"""


def nfs_lookups(machine, version):
    """How many LOOKUPs this machine's mounts have made."""
    return int(machine.read(f"nfsstat -c -{version[0]} -l | awk '$4 == \"lookup:\" {{print $5}}'") or 0)


def probe_in_background(machine, folder):
    """What `hotset probe` finds; emulated, it may take longer than a command is waited for."""
    probe = f"hotset probe {folder} --json -o mount.toml --server-profile servers.toml > probed.json 2> probed.err"
    machine.run(f"cd /root && rm -f probed.exit && nohup sh -c '{probe}; echo $? > probed.exit' < /dev/null > /dev/null 2>&1 &")
    give_up = time.monotonic() + PROBE_SECONDS
    while machine.run("test -s /root/probed.exit", check=False).returncode:
        if time.monotonic() > give_up:
            raise Failed("probing ends")
        time.sleep(5)
    expect("probing succeeds", machine.read("cat /root/probed.exit") == "0", machine.read("cat /root/probed.err"))
    return json.loads(machine.read("cat /root/probed.json"))


def has_all_figures(found):
    """Everything that is measured on a mount of NFS is there, and takes time."""
    mount = found["mount"]
    expect("the page cache keeps files over an open", mount["keeping"] == "kept")
    expect("calls are measured with several callers", [it["callers"] for it in mount["callers"]] == [1, 2, 4, 8])
    for list_of, least in [("files", 6), ("blocks", 6), ("copying", 10), ("readers", 4), ("sending", 6), ("operations", 8)]:
        expect(f"{list_of} are measured", len(found[list_of]) >= least, len(found[list_of]))
    for one in ["direct", "direct_writes", "mapped", "profile"]:
        expect(f"{one} is there", found[one] is not None)
    expect("uncached files are measured", all(it["uncached"] for it in found["files"]))
    medians = list(medians_of({key: value for key, value in found.items() if key not in ("profile", "outcomes")}))
    expect("all figures take time", min(medians) > 0, f"{len(medians)} figures, least {min(medians)}")
    profile = found["profile"]
    expect("the profile has a call", profile["mount"]["call_us"] > 0, profile["mount"])
    expect("a request to its device is a call", profile["device"]["kind"] == "measured")


def medians_of(value):
    """All medians in a document, but those of differences, which may be negative."""
    if isinstance(value, dict):
        if "median_us" in value:
            yield value["median_us"]
        for key, inner in value.items():
            if key != "segment":
                yield from medians_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from medians_of(inner)


def package(machine):
    """The Debian package is installed, started, reloaded, upgraded and purged; files are held meanwhile, and nothing is left."""
    shop = Shop(machine)
    before, properties = shop.kept_bytes(), shop.properties()
    with tempfile.TemporaryDirectory() as folder:
        for version, file in zip(VERSIONS, debian.build(machine.program, folder, VERSIONS)):
            machine.copy(file, f"/srv/hotset-{version}.deb")
    install(machine, VERSIONS[0])
    machine.run("systemctl start hotset")
    expect("without a scenario, the unit does not start", state_of_unit(machine) == "inactive")
    well_made(machine)
    machine.run("mkdir -p /etc/hotset && cat > /etc/hotset/sites.toml", input=SCENARIO)
    machine.run("cat > /etc/default/hotset", input=OPTIONS)
    machine.run("systemctl start hotset && sleep 2")
    shop.chosen_files_are_held(ask=True)
    # Whoever reads a file into memory is in the server's group for that time.
    tells(machine, "moved_bytes=0")
    shop.charged(shop.chosen_files_are_held(ask=False), before)
    shop.holders_are_safe()
    shop.serves()
    # Nobody asks for anything from now on: what was learnt stays known.
    reload(machine)
    machine.run("sed -i 's/5s/5s --placer hot-root/' /etc/default/hotset && systemctl restart hotset")
    shop.charged(shop.chosen_files_are_held(ask=False), before)
    shop.serves()
    pid = machine.read("systemctl show --property=MainPID --value hotset")
    install(machine, VERSIONS[1])
    expect("the upgrade starts it anew", machine.read("systemctl show --property=MainPID --value hotset") not in ("0", pid))
    expect("the upgrade keeps the options", "--interval 5s" in machine.read("cat /etc/default/hotset"))
    shop.charged(shop.chosen_files_are_held(ask=False), before)
    shop.serves()
    machine.run("dpkg --purge hotset")
    shop.nothing_is_held()
    shop.charged(0, before)
    expect("the unit's properties are as they were", shop.properties() == properties)
    left = machine.read("find / -xdev -name '*hotset*' -not -path '/srv/*' -not -path /usr/local/bin/hotset; find /run -name '*hotset*'")
    expect("only the administrator's own folder is left", left == "/etc/hotset", left)
    machine.run("rm -r /etc/hotset")


def install(machine, version):
    """Installs a version of the package."""
    machine.run(f"dpkg -i /srv/hotset-{version}.deb")
    installed = machine.read("dpkg-query -W -f '${Version}' hotset")
    expect("the package is installed", installed == version, installed)


def state_of_unit(machine):
    """What systemd says of the unit."""
    return machine.run("systemctl is-active hotset", check=False).stdout.strip()


def well_made(machine):
    """systemd finds nothing wrong with the unit, and says how far it is closed."""
    verified = machine.run("systemd-analyze verify --man=no hotset.service", check=False)
    said = verified.stdout + verified.stderr
    expect("systemd-analyze verify finds nothing", verified.returncode == 0 and said == "", said)
    closed = machine.run(f"systemd-analyze security --no-pager --threshold={MOST_EXPOSURE} hotset.service", check=False)
    lines = closed.stdout.strip().splitlines()
    expect("systemd-analyze security rates it as documented", closed.returncode == 0, lines[-1] if lines else closed.stderr)


def reload(machine):
    """A changed scenario is read anew; one that is nonsense is refused, and the old one stays in force."""
    for scenario, event in [(SCENARIO.replace("64MiB", "72MiB"), "event=reloaded"), ("nonsense", "event=\"goes on with the old")]:
        machine.run("cat > /etc/hotset/sites.toml", input=scenario)
        machine.run("systemctl reload hotset")
        tells(machine, event)
        expect("and runs on", state_of_unit(machine) == "active")
    machine.run("cat > /etc/hotset/sites.toml", input=SCENARIO)
    machine.run("systemctl reload hotset")


def tells(machine, event):
    """Waits until the unit has told of an event."""
    started = time.monotonic()
    while True:
        told = machine.read("journalctl --unit=hotset --output=cat --no-pager")
        if event in told or time.monotonic() - started > PATIENCE_SECONDS:
            break
    expect(f"the unit tells {event}", event in told, "" if event in told else told[-300:])


CASES = {
    case.__name__.replace("_", "-"): case
    for case in [pin, hot_root, restart, daemon_reload, reboot, from_unit, nightly, cron, pushed, podman, killed_together, file_replaced, floors,
                 scope, overfull, administrator, bind_over_nfs, probe_over_nfs, package]
}
