//! The server that files are held for: nobody else holds files for it, its group is guaranteed what a plan gives it, and it
//! is slowed down before it is killed.

use crate::brake::Brake;
use crate::context::Context;
use crate::guarantee::{self, Guarantee};
use crate::server::Claim;
use crate::{GroupSize, LiveError, Server, ServerName};
use hotset_machine::cgroup::MemoryGroup;

/// A server and what is made for its memory group.
pub(super) struct ServerGroup<'l> {
    context: Context<'l>,
    name: Option<ServerName>,
    pub server: Option<Server>,
    size: Option<GroupSize>,
    guarantee: Option<Box<dyn Guarantee + 'l>>,
    /// The guarantee is made on top of it, and goes first.
    brake: Option<Brake<'l>>,
    /// Processes of the group that the kernel has killed.
    kills: u64,
    /// Keeps other states from the server.
    #[allow(dead_code, reason = "it is held, not read")]
    claim: Option<Claim>,
}

impl<'l> ServerGroup<'l> {
    /// Finds the server, and keeps others from it. Nothing is made for it yet.
    ///
    /// # Errors
    /// When it does not run, or another state holds files for it.
    pub fn new(name: Option<ServerName>, context: Context<'l>) -> Result<Self, LiveError> {
        let server = name.as_ref().map(ServerName::find).transpose()?;
        let state = context.folder.path();
        let claim = server.as_ref().map(|server| server.claim(state));
        Ok(Self {
            context,
            name,
            claim: claim.transpose()?.flatten(),
            server,
            size: None,
            guarantee: None,
            brake: None,
            kills: 0,
        })
    }

    /// Its memory group, where it has one.
    pub fn group(&self) -> Option<&MemoryGroup> {
        self.server.as_ref()?.group.as_ref()
    }

    /// Guarantees its group another size.
    ///
    /// # Errors
    /// When the kernel or systemd refuses.
    pub fn resize(&mut self, size: Option<GroupSize>) -> Result<(), LiveError> {
        if size == self.size {
            return Ok(());
        }
        self.guarantee = None;
        self.size = size;
        self.renew()
    }

    /// Whether the kernel has killed a process of the group since this was asked last.
    pub fn has_killed(&mut self) -> bool {
        let kills = self.group().and_then(|group| group.kills().ok());
        let before = std::mem::replace(&mut self.kills, kills.unwrap_or(0));
        self.kills > before
    }

    /// Follows a server that was started anew. The new one, where it is in another group: `leave` is told of it before anything is
    /// made for it. While it is down, what it had stays.
    pub fn follow(
        &mut self,
        leave: impl FnOnce(&Server) -> Result<(), LiveError>,
    ) -> Result<bool, LiveError> {
        let (Some(server), Some(name)) = (&self.server, &self.name) else {
            return Ok(false);
        };
        if server.is_there() {
            return Ok(false);
        }
        let Ok(found) = name.find() else {
            return Ok(false);
        };
        let is_elsewhere = !found.is_at_home_with(server);
        if is_elsewhere {
            self.claim = None;
            self.claim = found.claim(self.context.folder.path())?;
            // What the old one holds goes before the new one begins.
            leave(&found)?;
        }
        self.server = Some(found);
        if is_elsewhere {
            self.has_killed();
        }
        Ok(is_elsewhere)
    }

    /// Sees to what the kernel is to guarantee the server, if anything, and to its brake. A server that is down needs neither.
    pub fn renew(&mut self) -> Result<(), LiveError> {
        let server = self.server.as_ref().filter(|server| server.is_there());
        let Some(group) = server.and_then(|server| server.group.clone()) else {
            return Ok(());
        };
        let Context { ledger, folder, .. } = self.context;
        match self.brake.as_ref().filter(|brake| brake.is_for(&group)) {
            Some(brake) => brake.renew()?,
            None => {
                // What is there is for a group of another name.
                self.guarantee = None;
                self.brake = None;
                self.brake = Some(Brake::make(ledger, &group)?);
            }
        }
        match (&mut self.guarantee, self.size) {
            (Some(guarantee), _) => guarantee.renew()?,
            (None, Some(size)) => {
                self.guarantee = Some(guarantee::make(ledger, &group, size, folder.path())?);
            }
            (None, None) => {}
        }
        Ok(())
    }
}
