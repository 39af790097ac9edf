//! What is left of a store's keys where its kind, or its disk's, is set aside from the file.

use toml::{Table, Value};

use crate::specs::StoreKind;

/// Has a store be of this kind, and takes out what it does not have then. `options` are those of the file's kind. Local stores have no
/// `servers` and are `on` none. NFS has one server, the first. A kind that is none stays, and the file is refused with it.
pub(crate) fn set_kind(store: &mut Table, value: &Value) {
    let was = store.insert("kind".to_owned(), value.clone());
    let Ok(kind) = value.clone().try_into::<StoreKind>() else {
        return;
    };
    if was.as_ref() != Some(value) {
        store.remove("options");
    }
    if !kind.is_on_servers() && !kind.is_cluster() {
        store.remove("servers");
        store.remove("on");
    }
    let servers = store.get_mut("servers").and_then(Value::as_array_mut);
    if let Some(servers) = servers.filter(|_| kind.is_nfs()) {
        servers.truncate(1);
    }
}

/// Has a store's disk be of this kind, and takes out what it does not have then. The rest is as the file has it.
pub(crate) fn set_disk_kind(store: &mut Table, value: &Value) {
    let disk = store.entry("disk").or_insert_with(|| Table::new().into());
    let Some(disk) = disk.as_table_mut() else {
        return;
    };
    let not_had: &[&str] = match value.as_str() {
        Some("plain") => &["rate", "reads_per_s", "raid", "write_cache"],
        Some("throttled") => &["raid", "write_cache"],
        Some("seeking") => &["reads_per_s"],
        _ => &[],
    };
    for key in not_had {
        disk.remove(*key);
    }
    disk.insert("kind".to_owned(), value.clone());
}
