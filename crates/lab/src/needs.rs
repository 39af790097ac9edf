//! What every lab needs of the machine.

use hotset_machine::Need;

/// What nodes, links, groups and local disks need on any machine.
#[must_use]
pub fn basic_needs() -> Vec<Need> {
    let mut needs = vec![Need::Root, Need::Groups, Need::Loop];
    let programs = [
        ("ip", "iproute2"),
        ("tc", "iproute2"),
        ("nsenter", "util-linux"),
        ("taskset", "util-linux"),
        ("chrt", "util-linux"),
        ("losetup", "mount"),
        ("mkfs.ext4", "e2fsprogs"),
    ];
    needs.extend(programs.map(|(program, package)| Need::program(program, package)));
    needs
}
