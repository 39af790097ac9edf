//! nfs-ganesha that exports a folder by version 3 of NFS.
//!
//! It has ports of its own, so that clients ask no port mapper. It does not start without one, though: it registers what it serves
//! (`Register_program`, `src/MainNFSD/nfs_rpc_dispatcher_thread.c`). So each has an rpcbind beside it, in the node's network and with a
//! `/run` of their own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use hotset_machine::Need;

use super::ServerKind;

/// Port of NFS (RFC 1813, 2.1).
pub const NFS_PORT: u16 = 2049;
/// Port of the mount protocol, which has none of its own: the one that nfs-utils uses.
pub const MOUNT_PORT: u16 = 20_048;

/// Starts both: $1 is the configuration, $2 the folder of the server's own files, $3 what is exported. They get a `/run` of their own, with
/// both folders where they were. They must not keep copies of other mounts: those could not be emptied.
/// With `-n`, nothing is noted in the old `/run`.
const APART: &str = r#"set -e
configuration=$1; folder=$2; export=$3
mount -n --make-rprivate /
cat /proc/self/mounts > "$folder/mounts"
while read -r source path kind rest; do
  case "$source $kind" in
    /dev/loop*|*" fuse"*) [ "$path" = "$export" ] || umount -n -l "$path" ;;
  esac
done < "$folder/mounts"
mount -n -t tmpfs -o mode=755 hotset /mnt
mkdir -p /mnt/ganesha /mnt/rpcbind
for kept in "$folder" "$export"; do
  case "$kept" in
    /run/*) mkdir -p "/mnt${kept#/run}"; mount -n --bind "$kept" "/mnt${kept#/run}" ;;
  esac
done
mount -n --move /mnt /run
rpcbind
exec ganesha.nfsd -F -f "$configuration" -p /run/ganesha/pid -L STDERR -N NIV_WARN"#;

/// nfs-ganesha with one folder, which every node of the lab may read and write.
#[derive(Clone, Debug)]
pub struct Ganesha {
    /// The folder, which clients mount by its path.
    pub export: PathBuf,
}

/// Programs that it takes, and their packages. Its module for local file systems is no program.
#[must_use]
pub fn ganesha_needs() -> Vec<Need> {
    [
        ("ganesha.nfsd", "nfs-ganesha nfs-ganesha-vfs"),
        ("rpcbind", "rpcbind"),
        ("unshare", "util-linux"),
    ]
    .map(|(program, package)| Need::program(program, package))
    .to_vec()
}

impl ServerKind for Ganesha {
    fn configuration(&self, address: SocketAddr, folder: &Path) -> String {
        let (ip, port, export) = (address.ip(), address.port(), self.export.display());
        let folder = folder.display();
        format!(
            "NFS_CORE_PARAM {{\n  Bind_addr = {ip};\n  NFS_Port = {port};\n  MNT_Port = {MOUNT_PORT};\n  Protocols = 3;\n  \
             Enable_NLM = false;\n  Enable_RQUOTA = false;\n}}\n\
             NFS_KRB5 {{ Active_krb5 = false; }}\n\
             NFSv4 {{ Graceless = true; RecoveryRoot = \"{folder}\"; }}\n\
             EXPORT {{\n  Export_Id = 1;\n  Path = \"{export}\";\n  Pseudo = \"/export\";\n  Access_Type = RW;\n  \
             Squash = No_Root_Squash;\n  SecType = sys;\n  Protocols = 3;\n  Transports = TCP;\n  FSAL {{ Name = VFS; }}\n}}\n"
        )
    }

    fn command(&self, path: &Path) -> (&'static str, Vec<String>) {
        let folder = path.parent().unwrap_or(path);
        let apart = ["--mount", "sh", "-c", APART, "hotset-ganesha"].map(str::to_owned);
        let paths = [path, folder, self.export.as_path()];
        let paths = paths.map(|path| path.display().to_string());
        ("unshare", apart.into_iter().chain(paths).collect())
    }
}
