//! Works on NFS: which calls the client of Linux 6.1 makes, each count derived by hand from the kernel's functions that are named.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_models::files::{FilesResult, Mounted, Work, WorkError, simulate};
use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{Line, Protocol};
use hotset_scenario::Profile;

const V3: Version = Version::V3;
const V4: Version = Version::V4 { minor: 2 };

fn mount(version: Version) -> Mount {
    Mount {
        version,
        protocol: Protocol::Tcp,
        read_bytes: 1 << 20,
        write_bytes: 1 << 20,
        attributes_s: None,
        sync: false,
    }
}

fn run_on(mount: Mount, text: &str) -> Result<FilesResult, WorkError> {
    let work = Work::parse(text, Path::new("test.work"))?;
    let profile = Profile::named_or_file("ssd").expect("it is built in");
    let mounted = Mounted {
        mount,
        client: "web1",
        line: &|_| Line::default(),
        profile: &profile,
        is_async: false,
    };
    simulate(&work, &mounted, &|| true)
}

/// Calls of the client of that number.
fn calls_of(version: Version, client: usize, text: &str) -> BTreeMap<&'static str, u64> {
    let result = run_on(mount(version), text).expect("a work");
    result.clients[client].calls.clone()
}

#[track_caller]
fn makes(version: Version, text: &str, calls: &[(&'static str, u64)]) {
    let wanted: BTreeMap<&'static str, u64> = calls.iter().copied().collect();
    assert_eq!(calls_of(version, 0, text), wanted);
}

/// The same lines for the files `data/0` up to `data/COUNT`, with the number in place of `N`.
fn each(count: usize, lines: &str) -> String {
    (0..count)
        .map(|number| lines.replace('N', &number.to_string()))
        .collect()
}

const READ: &str = "open data/N r\nread data/N 4096\nclose data/N\n";

#[test]
fn many_files_are_each_looked_up_asked_for_access_and_read() {
    let text = format!("on-server data 10 4096\n{}", each(10, READ));
    // nfs_permission asks ACCESS for the two folders and, as version 3 has no atomic open, for each file (dir.c); nfs_lookup looks
    // up `data` and each file; a fresh dentry is not revalidated at open; nfs_readahead reads each file with one READ (read.c).
    makes(V3, &text, &[("access", 12), ("lookup", 11), ("read", 10)]);
    // nfs_atomic_open has OPEN do all of that; __nfs4_close sends CLOSE, as the open was told to the server (nfs4state.c).
    let v4 = [
        ("access", 2),
        ("close", 10),
        ("lookup", 1),
        ("open", 10),
        ("read", 10),
    ];
    makes(V4, &text, &v4);
}

#[test]
fn reading_again_asks_for_attributes_at_open_and_when_they_have_expired() {
    let again = "open data/0 r\nsleep 4\nread-at data/0 0 4096\nclose data/0\n";
    let text = format!("on-server data 1 4096\n{0}{0}{again}", each(1, READ));
    // nfs_lookup_verify_inode asks GETATTR at the second and the third open; nfs_revalidate_mapping once more after 4 s, as
    // attributes of files hold for 3 s (NFS_DEF_ACREGMIN).
    let v3 = [("access", 3), ("getattr", 3), ("lookup", 2), ("read", 1)];
    makes(V3, &text, &v3);
    // The first OPEN gives a delegation: nfs4_try_open_cached opens by it, and nfs_attribute_cache_expired never says so.
    let v4 = [
        ("access", 2),
        ("close", 1),
        ("lookup", 1),
        ("open", 1),
        ("read", 1),
    ];
    makes(V4, &text, &v4);
}

#[test]
fn attributes_hold_twice_as_long_once_they_were_seen_unchanged() {
    let later = "sleep 4\nread-at data/0 0 4096\n";
    let text = format!(
        "on-server data 1 4096\nopen data/0 r\nread-at data/0 0 4096\n{later}{later}{later}close data/0\n"
    );
    // nfs_update_inode doubles attrtimeo to 6 s at the GETATTR after 4 s; after 8 s they still hold, after 12 s they do not.
    let v3 = [("access", 3), ("getattr", 2), ("lookup", 2), ("read", 1)];
    makes(V3, &text, &v3);
}

#[test]
fn a_large_file_is_read_by_windows_of_128_kib() {
    let reads = "read data/0 65536\n".repeat(64);
    let text = format!("on-server data 1 4MiB\nopen data/0 r\n{reads}close data/0\n");
    // ondemand_readahead starts with 32 pages (get_init_ra_size of 16 is the most), and each marked page has 32 more read (mm/readahead.c):
    // 1024 pages are 32 READs.
    makes(V3, &text, &[("access", 3), ("lookup", 2), ("read", 32)]);
}

#[test]
fn reads_at_random_are_one_call_each() {
    let text = "on-server data 1 1MiB\nopen data/0 r\nread-at data/0 409600 4096\nread-at data/0 204800 4096\n\
                read-at data/0 819200 4096\nclose data/0\n";
    // ondemand_readahead: a small random read is read as it is.
    makes(V3, text, &[("access", 3), ("lookup", 2), ("read", 3)]);
}

#[test]
fn one_write_goes_to_the_disk_at_once_and_several_are_committed() {
    let small = "on-server data 0 0\nopen data/new create\nwrite data/new 4096\nfsync data/new\nwrite data/new 4096\nclose data/new\n";
    // lookup_open (fs/namei.c) looks `new` up before nfs_create; nfs_pgio_rpcsetup has FLUSH_COND_STABLE ask for FILE_SYNC where one
    // WRITE is all, so nfs_commit_inode finds nothing; nfs_close_context finds the attributes of the WRITE.
    makes(
        V3,
        small,
        &[("access", 2), ("create", 1), ("lookup", 2), ("write", 2)],
    );
    let v4 = [
        ("access", 2),
        ("close", 1),
        ("lookup", 1),
        ("open", 1),
        ("write", 2),
    ];
    makes(V4, small, &v4);
    let large = "on-server data 0 0\nopen data/new create\nwrite data/new 3MiB\nclose data/new\n";
    // nfs_generic_pgio drops FLUSH_COND_STABLE where more follows (pg_moreio): three WRITEs of wsize, one COMMIT (nfs_scan_commit).
    let v3 = [
        ("access", 2),
        ("commit", 1),
        ("create", 1),
        ("lookup", 2),
        ("write", 3),
    ];
    makes(V3, large, &v3);
}

#[test]
fn every_append_is_a_write_behind_a_check_at_open() {
    let append = "open data/0 w append\nwrite data/0 100\nclose data/0\n";
    let text = format!("on-server data 1 100\n{append}{append}");
    // nfs_file_flush writes at close; nfs_lookup_verify_inode asks GETATTR at the second open, which shows the client's own change.
    let v3 = [("access", 3), ("getattr", 1), ("lookup", 2), ("write", 2)];
    makes(V3, &text, &v3);
}

#[test]
fn a_name_that_was_removed_is_not_looked_up_to_be_made_again() {
    let both = "open data/new create\nclose data/new\nunlink data/new\n";
    let text = format!("on-server data 0 0\n{both}{both}");
    // nfs_unlink leaves a negative dentry, which nfs_neg_need_reval trusts under LOOKUP_CREATE.
    makes(
        V3,
        &text,
        &[("access", 2), ("create", 2), ("lookup", 2), ("remove", 2)],
    );
    let v4 = [
        ("access", 2),
        ("close", 2),
        ("lookup", 1),
        ("open", 2),
        ("remove", 2),
    ];
    makes(V4, &text, &v4);
}

#[test]
fn a_file_that_is_removed_while_open_is_renamed_until_it_is_closed() {
    let text = "on-server data 1 4096\nopen data/0 r\nunlink data/0\nclose data/0\n";
    // nfs_sillyrename looks the new name up and renames; nfs_complete_unlink removes it at close (unlink.c).
    let v3 = [("access", 3), ("lookup", 3), ("remove", 1), ("rename", 1)];
    makes(V3, text, &v3);
}

#[test]
fn a_listing_with_attributes_takes_no_call_a_file() {
    let stats = each(10, "stat data/N\n");
    let text = format!("on-server data 10 4096\nreaddir data\n{stats}");
    // nfs_readdir asks READDIRPLUS at the start of a folder, and nfs_prime_dcache keeps names and attributes.
    makes(
        V3,
        &text,
        &[("access", 2), ("lookup", 1), ("readdirplus", 1)],
    );
    makes(V4, &text, &[("access", 2), ("lookup", 1), ("readdir", 1)]);
    // With 36 bytes of file handle an entry takes 160 bytes: 408 fit into 64 KiB less 108, the others into 128 KiB (nfs_grow_dtsize).
    let text = "on-server data 1000 4096\nreaddir data\n";
    makes(
        V3,
        text,
        &[("access", 2), ("lookup", 1), ("readdirplus", 2)],
    );
}

#[test]
fn a_file_with_another_name_is_asked_for_attributes() {
    let text = "on-server data 1 4096\nrename data/0 data/b\nstat data/b\n";
    // nfs_lookup skips the target (LOOKUP_RENAME_TARGET); nfs_rename makes the file's attributes invalid, so nfs_getattr asks.
    let both = [("access", 2), ("getattr", 1), ("lookup", 2), ("rename", 1)];
    makes(V3, text, &both);
    makes(V4, text, &both);
}

#[test]
fn a_file_that_another_client_changes_is_read_anew() {
    let text = "on-server data 1 4096\nopen data/0 r\nread data/0 4096\nclose data/0\n\
                web2: open data/0 w\nweb2: write data/0 4096\nweb2: close data/0\n\
                open data/0 r\nread data/0 4096\nclose data/0\n";
    // nfs_update_inode finds another change attribute at the GETATTR of the second open: content and access are void.
    let v3 = [("access", 4), ("getattr", 1), ("lookup", 2), ("read", 2)];
    makes(V3, text, &v3);
    // The server calls the delegation back and has web2 ask again (NFS4ERR_DELAY); the file gets none for 30 s (delegation_blocked).
    let v4 = [
        ("access", 2),
        ("close", 2),
        ("delegreturn", 1),
        ("lookup", 1),
        ("open", 1),
        ("open_noat", 1),
        ("read", 2),
    ];
    makes(V4, text, &v4);
    let other = calls_of(V4, 1, text);
    assert_eq!((other["open"], other["write"], other["close"]), (2, 1, 1));
}

#[test]
fn a_web_server_asks_for_folders_too_after_half_a_minute() {
    let text = format!("on-server data 1 4096\n{0}sleep 31\n{0}", each(1, READ));
    // nfs_access_get_cached_locked asks for both folders (NFS_DEF_ACDIRMIN is 30 s), nfs_lookup_verify_inode for the file.
    let v3 = [("access", 3), ("getattr", 3), ("lookup", 2), ("read", 1)];
    makes(V3, &text, &v3);
}

#[test]
fn a_build_that_looks_for_what_is_not_there_asks_once() {
    let text = "on-server data 0 0\nstat data/stdio.h\nstat data/stdio.h\nstat data/stdio.h\n";
    // nfs_lookup_revalidate_negative trusts the dentry as long as the folder is unchanged.
    makes(V3, text, &[("access", 2), ("lookup", 2)]);
}

#[test]
fn what_a_mount_dirties_first_is_written_at_the_next_wake() {
    let write = "write data/new 4096\n";
    let text = format!(
        "on-server data 0 0\nopen data/new create\n{write}sleep 6\n{write}close data/new\n"
    );
    // wb_over_bg_thresh: a mount that has written nothing has no share of the limit. nfs_writepages with for_background writes UNSTABLE
    // and commits (nfs_io_completion_commit). nfs_file_flush writes the rest at once.
    let v3 = [
        ("access", 2),
        ("commit", 1),
        ("create", 1),
        ("lookup", 2),
        ("write", 2),
    ];
    makes(V3, &text, &v3);
}

#[test]
fn what_is_dirty_for_half_a_minute_is_written_and_committed() {
    let calls = |seconds: u64| {
        let text = format!(
            "on-server data 0 0\nopen data/large create\nwrite data/large 1MiB\nclose data/large\n\
             open data/new create\nwrite data/new 4096\nsleep {seconds}\nwrite data/new 4096\nclose data/new\n"
        );
        let calls = calls_of(V3, 0, &text);
        (calls["write"], calls.get("commit").copied())
    };
    // 256 pages were written, so the mount has a share. wb_check_old_data_flush looks each 5 s for what is 30 s old.
    assert_eq!(calls(29), (2, None));
    assert_eq!(calls(36), (3, Some(1)));
}

#[test]
fn a_file_that_is_replaced_while_open_is_renamed_before() {
    let text = "on-server data 2 4096\nopen data/0 r\nrename data/1 data/0\nclose data/0\n";
    // nfs_rename has nfs_sillyrename give the open file another name first, for which a name is looked up; it is removed at close.
    let v3 = [("access", 3), ("lookup", 4), ("remove", 1), ("rename", 2)];
    makes(V3, text, &v3);
}

#[test]
fn mounting_anew_forgets_all_and_gives_delegations_back() {
    let text = format!("on-server data 1 4096\n{0}mount-anew\n{0}", each(1, READ));
    makes(V3, &text, &[("access", 6), ("lookup", 4), ("read", 2)]);
    // nfs_server_return_all_delegations at the end of the mount (super.c).
    assert_eq!(calls_of(V4, 0, &text)["delegreturn"], 1);
}

#[test]
fn options_of_the_mount_are_kept_to() {
    let small = Mount {
        read_bytes: 65_536,
        write_bytes: 65_536,
        attributes_s: Some(0),
        ..mount(V3)
    };
    let text = "on-server data 1 1MiB\nopen data/0 r direct\nread data/0 262144\nclose data/0\nstat data/0\nstat data/0\n";
    let calls = run_on(small, text).expect("a work").clients[0]
        .calls
        .clone();
    assert_eq!(calls["read"], 4, "rsize is a quarter");
    assert!(calls["getattr"] >= 2, "{calls:?}: nothing is believed");
    let sync = Mount {
        sync: true,
        ..mount(V3)
    };
    let text = "on-server data 0 0\nopen data/a create\nwrite data/a 4096\nwrite data/a 4096\nclose data/a\n";
    let calls = run_on(sync, text).expect("a work").clients[0].calls.clone();
    assert_eq!(calls["write"], 2);
}

#[test]
fn bytes_and_packets_are_those_of_the_protocol() {
    let result = run_on(mount(V3), "on-server / 1 4096\nstat 0\n").expect("a work");
    let client = &result.clients[0];
    // ACCESS of the exported folder: 72 of RPC, 32 of handle, 4; back 28, 4, 88 of attributes, 4.
    // LOOKUP of `0`: 72, 32, 8; back 28, 4, 40 of handle, 176 of attributes. Headers of 52 a packet; the last acknowledgement goes alone.
    assert_eq!(
        client.link_bytes.sent,
        (72 + 32 + 4) + (72 + 32 + 8) + 3 * 52
    );
    assert_eq!(
        client.link_bytes.received,
        (28 + 4 + 88 + 4) + (28 + 4 + 40 + 176) + 2 * 52
    );
    assert_eq!(
        (client.link_packets.sent, client.link_packets.received),
        (3, 2)
    );
    assert!(result.seconds > 0.0);
}

#[test]
fn hits_are_pages_that_the_client_had() {
    let text = format!("on-server data 1 4096\n{0}{0}", each(1, READ));
    let result = run_on(mount(V3), &text).expect("a work");
    assert_eq!(result.clients[0].hit_ratio(), Some(0.5));
}

#[test]
fn works_that_cannot_be_are_refused_with_their_line() {
    for (text, says) in [
        ("opne data/0 r\n", "test.work:1: `opne`: is not known"),
        ("\nopen data/0\n", "test.work:2: write open PATH r|w|create"),
        ("open data/0 x\n", "test.work:1: `x`: write r, w or create"),
        (
            "read data/0 0\n",
            "test.work:1: `0`: write a number of bytes above 0",
        ),
        ("read data/0 9999GiB\n", "can be followed"),
        ("stat ../0\n", "has `..`"),
        ("sleep -1\n", "write seconds from 0"),
        ("on-server data 1\n", "write on-server DIR COUNT BYTES"),
        ("web1: on-server data 1 1\n", "files lie on the server"),
        (
            "on-server data 1 1\n# nothing\nread data/0 4096\n",
            "test.work:3: data/0 is not open",
        ),
        (
            "on-server data 1 1\nopen data/0 r\nwrite data/0 1\n",
            "is open for reading",
        ),
        (
            "on-server data 1 1\nopen data/0 r\nopen data/0 r\n",
            "close it before",
        ),
        ("on-server data 1 1\nopen data r\n", "is a folder"),
        (
            "on-server data 1 1\non-server data/0 1 1\n",
            "is a file already",
        ),
        (
            "on-server data 1 1\nopen data/0 r\nmount-anew\n",
            "close it before",
        ),
    ] {
        let error = run_on(mount(V3), text).expect_err(says).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}
