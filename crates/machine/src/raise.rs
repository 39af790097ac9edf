//! A number in a file of the kernel that several owners raise, each by what it needs, such as the floor of a memory group that
//! holds several servers. A register says what the file said before and who needs how much, so that owners may come and go
//! in any order.

use crate::lock::make_private;
use crate::systemd::{self, DropIn};
use crate::{MachineError, OnFile, file, procfs};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Where registers are: they last as long as settings of systemd's do.
const REGISTERS: &str = "/var/lib/hotset/raised";

/// What one owner adds to a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raise {
    /// The file of the kernel.
    pub file: PathBuf,
    /// Who adds: a folder that is there as long as the owner wants it.
    pub owner: PathBuf,
    /// Where systemd is told, and the setting's name there.
    #[serde(rename = "told")]
    pub drop_in: Option<(DropIn, String)>,
}

#[derive(Serialize, Deserialize)]
struct Register {
    /// What the file said before anybody raised it.
    before: String,
    /// The start of the machine at which it said so.
    boot: String,
    parts: BTreeMap<PathBuf, u64>,
}

impl Register {
    /// What the file is to say. "max" cannot be raised.
    fn value(&self) -> String {
        let sum = |before: u64| {
            self.parts
                .values()
                .copied()
                .fold(before, u64::saturating_add)
        };
        let before = self.before.parse().map(sum);
        before.map_or_else(|_| self.before.clone(), |sum| sum.to_string())
    }
}

impl Raise {
    /// Adds so many to the number, in place of what the owner has added before. systemd counts it after
    /// [`systemd::reload`].
    ///
    /// # Errors
    /// When the file or the register cannot be read or written.
    pub fn add(&self, amount: u64) -> Result<(), MachineError> {
        let _lock = lock(&folder()?)?;
        let mut register = match self.load()? {
            Some(register) => register,
            None => Register {
                before: self.read()?,
                boot: procfs::boot_id()?,
                parts: BTreeMap::new(),
            },
        };
        register.parts.insert(self.owner.clone(), amount);
        file::write_json(&self.register()?, &register)?;
        self.tell(&register)?;
        self.write(&register.value())
    }

    /// Writes the number again where somebody has changed it.
    ///
    /// # Errors
    /// When the file or the register cannot be read or written.
    pub fn renew(&self) -> Result<(), MachineError> {
        let _lock = lock(&folder()?)?;
        match self.load()?.map(|register| register.value()) {
            Some(value) if self.read()? != value => self.write(&value),
            _ => Ok(()),
        }
    }

    /// Takes away what the owner has added. Whether there was something. A number that somebody else has changed meanwhile is
    /// left alone.
    ///
    /// # Errors
    /// When the file or the register cannot be read or written.
    pub fn remove(&self) -> Result<bool, MachineError> {
        let _lock = lock(&folder()?)?;
        let Some(mut register) = self.load()? else {
            return Ok(false);
        };
        let raised = register.value();
        if register.parts.remove(&self.owner).is_none() {
            return Ok(false);
        }
        self.tell(&register)?;
        if self.drop_in.is_some() {
            systemd::reload()?;
        }
        // The group may be gone, and the number with it.
        if self.read().is_ok_and(|now| now == raised) {
            self.write(&register.value())?;
        }
        let path = self.register()?;
        match register.parts.is_empty() {
            true => fs::remove_file(&path).on("remove", &path)?,
            false => file::write_json(&path, &register)?,
        }
        // Only where no other number is raised.
        let _removed = fs::remove_dir(folder()?);
        Ok(true)
    }

    /// The register, without owners that are gone. What the kernel said before the machine started anew is void, unless
    /// systemd has been told.
    fn load(&self) -> Result<Option<Register>, MachineError> {
        let register: Option<Register> = file::read_json(&self.register()?)?;
        let boot = procfs::boot_id()?;
        let mut register = register.filter(|it| it.boot == boot || self.drop_in.is_some());
        if let Some(register) = &mut register {
            register
                .parts
                .retain(|owner, _| owner.exists() || *owner == self.owner);
        }
        Ok(register)
    }

    fn tell(&self, register: &Register) -> Result<(), MachineError> {
        match &self.drop_in {
            None => Ok(()),
            Some((drop_in, _)) if register.parts.is_empty() => drop_in.remove().map(drop),
            Some((drop_in, name)) => match register.value().parse() {
                Ok(value) => drop_in.write(&[(name, value)]),
                Err(_) => Ok(()),
            },
        }
    }

    fn read(&self) -> Result<String, MachineError> {
        let text = fs::read_to_string(&self.file).on("read", &self.file)?;
        Ok(text.trim().to_owned())
    }

    fn write(&self, value: &str) -> Result<(), MachineError> {
        fs::write(&self.file, value).on("write", &self.file)
    }

    fn register(&self) -> Result<PathBuf, MachineError> {
        let name = self.file.to_string_lossy();
        let name = name.replace('%', "%25").replace('/', "%2F");
        Ok(folder()?.join(name))
    }
}

/// Where the registers are; an ordinary user's are with what else belongs to programs of that user (XDG Base Directory).
fn folder() -> Result<PathBuf, MachineError> {
    if rustix::process::geteuid().is_root() {
        return Ok(REGISTERS.into());
    }
    let of_user = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let of_user = of_user.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".local/state")));
    let folder = of_user.map(|folder| folder.join("hotset/raised"));
    folder.ok_or_else(|| {
        let problem = "there is no place to write down whose floors raise another: set HOME";
        MachineError::unusable(problem)
    })
}

/// Keeps others from the registers for as long as it is open. Nobody else can open the folder, and so lock it.
fn lock(folder: &Path) -> Result<File, MachineError> {
    loop {
        make_private(folder)?;
        // Somebody may remove it now.
        let Ok(opened) = File::open(folder) else {
            continue;
        };
        flock(&opened, FlockOperation::LockExclusive).on("lock", folder)?;
        let inode = opened.metadata().on("look up", folder)?.ino();
        if fs::metadata(folder).is_ok_and(|there| there.ino() == inode) {
            return Ok(opened);
        }
    }
}
