//! How far the parts of files reach that servers have. A server of OrangeFS notes in its database when a write makes one longer.

/// Where each server's part of each file ends.
#[derive(Clone, Debug)]
pub(super) struct Ends(Vec<Vec<u64>>);

impl Ends {
    /// Of so many servers and files, of which none has data.
    pub fn new(servers: usize, files: usize) -> Self {
        Self(vec![vec![0; files]; servers])
    }

    /// A server's part of a file ends there.
    pub fn set(&mut self, server: u32, file: u32, end: u64) {
        if let Some(known) = self.of(server, file) {
            *known = end;
        }
    }

    /// A server's part of a file is written up to there: whether that makes it longer.
    pub fn grows(&mut self, server: u32, file: u32, end: u64) -> bool {
        match self.of(server, file) {
            Some(known) if *known < end => {
                *known = end;
                true
            }
            _ => false,
        }
    }

    fn of(&mut self, server: u32, file: u32) -> Option<&mut u64> {
        self.0.get_mut(server as usize)?.get_mut(file as usize)
    }
}
