//! A server that suddenly takes more memory than its group has left is slowed down before the kernel kills it, so that held
//! files can be given up in time.
//!
//! With version 2 of control groups, who holds files leaves the server's group, which systemd empties when it ends the
//! server. So nobody but the server would be killed. Beyond `memory.high` the kernel makes a process that takes more wait,
//! for up to two seconds each time (`MEMCG_MAX_HIGH_DELAY_JIFFIES`). The wait grows with the square of what is beyond, as a share
//! of `memory.high`, and a wait of less than 10 ms is none (`calculate_high_delay`). For each 256 KiB beyond, that is 40 ms at one
//! fortieth and 160 ms at one twentieth. Page cache is taken from the group as before.

use crate::LiveError;
use crate::group_setting::{GroupSetting, read};
use crate::room::Room;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::Ledger;
use std::path::{Path, PathBuf};

/// The setting that slows a group down, where one is needed.
pub(crate) struct Brake<'l> {
    ledger: &'l Ledger,
    group: PathBuf,
    setting: Option<GroupSetting>,
}

impl<'l> Brake<'l> {
    /// For a group with a limit that does not slow down by itself before it reaches its headroom.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn make(ledger: &'l Ledger, group: &MemoryGroup) -> Result<Self, LiveError> {
        let limit = group.limit_bytes().filter(|_| group.is_unified());
        let setting = limit.map(|limit| slow_down(ledger, group.path(), limit));
        Ok(Self {
            ledger,
            group: group.path().to_owned(),
            setting: setting.transpose()?.flatten(),
        })
    }

    /// Whether it is for a group of this name, made anew or not.
    pub fn is_for(&self, group: &MemoryGroup) -> bool {
        self.group == group.path()
    }

    /// Sets it again where somebody has changed it.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn renew(&self) -> Result<(), LiveError> {
        let renewed = self.setting.as_ref().map(GroupSetting::renew_at_most);
        Ok(renewed.transpose().map(drop)?)
    }
}

fn slow_down(ledger: &Ledger, group: &Path, limit: u64) -> Result<Option<GroupSetting>, LiveError> {
    let file = group.join("memory.high");
    let before = read(&file)?;
    let page = hotset_machine::memory::page_bytes();
    let high = (limit - Room::headroom_of(limit)) / page * page;
    let is_slow = before.parse().is_ok_and(|before: u64| before <= high);
    let make = || GroupSetting::make(ledger, &file, &before, high);
    Ok((!is_slow).then(make).transpose()?)
}

impl Drop for Brake<'_> {
    fn drop(&mut self) {
        if let Some(setting) = &self.setting {
            // What cannot be undone stays in the ledger.
            let _undone = self.ledger.undo(setting.entry);
        }
    }
}
