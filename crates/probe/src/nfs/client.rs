//! Calls to a server of NFS 3, one at a time (RFC 1813).

use std::net::{IpAddr, SocketAddr};

use super::error::NfsError;
use super::results;
use super::rpc::{Connection, Procedure};
use super::xdr::{put_bytes, put_u32, put_u64};

/// A procedure of NFS 3.
const fn nfs(number: u32, name: &'static str) -> Procedure {
    Procedure {
        program: 100_003,
        version: 3,
        number,
        name,
    }
}

const NULL: Procedure = nfs(0, "NULL");
const GETATTR: Procedure = nfs(1, "GETATTR");
const LOOKUP: Procedure = nfs(3, "LOOKUP");
const READ: Procedure = nfs(6, "READ");
const WRITE: Procedure = nfs(7, "WRITE");
const COMMIT: Procedure = nfs(21, "COMMIT");
/// The one of the mount protocol, version 3.
const MNT: Procedure = Procedure {
    program: 100_005,
    version: 3,
    number: 1,
    name: "MNT",
};

/// What is written need not be on the server's disk when it answers (`UNSTABLE`).
const UNSTABLE: u32 = 0;

/// What a server knows a file or folder by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHandle {
    handle: Vec<u8>,
    /// As errors name it.
    name: String,
}

/// A client that has mounted a folder of a server.
#[derive(Debug)]
pub struct NfsClient {
    connection: Connection,
    root: FileHandle,
}

impl NfsClient {
    /// Mounts `export` from a server that has NFS and the mount protocol at these ports.
    ///
    /// # Errors
    /// Where nobody listens, or the server has no such export for this client.
    pub fn mount(
        server: IpAddr,
        [nfs_port, mount_port]: [u16; 2],
        export: &str,
    ) -> Result<Self, NfsError> {
        let mut mounting = Connection::open(SocketAddr::new(server, mount_port))?;
        let path = |message: &mut Vec<u8>| put_bytes(message, export.as_bytes());
        let handle = mounting.call(MNT, export, path, results::mounted)?;
        Ok(Self {
            connection: Connection::open(SocketAddr::new(server, nfs_port))?,
            root: FileHandle {
                handle,
                name: export.to_owned(),
            },
        })
    }

    /// Whom it asks.
    #[must_use]
    pub fn server(&self) -> SocketAddr {
        self.connection.server()
    }

    /// A call that does nothing.
    ///
    /// # Errors
    /// A connection that breaks.
    pub fn null(&mut self) -> Result<(), NfsError> {
        let Self { connection, root } = self;
        connection.call(NULL, &root.name, |_| {}, results::nothing)
    }

    /// The file of this name in the folder that is exported.
    ///
    /// # Errors
    /// There is none.
    pub fn look_up(&mut self, name: &str) -> Result<FileHandle, NfsError> {
        let Self { connection, root } = self;
        let arguments = |message: &mut Vec<u8>| {
            put_bytes(message, &root.handle);
            put_bytes(message, name.as_bytes());
        };
        let handle = connection.call(LOOKUP, name, arguments, results::found)?;
        Ok(FileHandle {
            handle,
            name: name.to_owned(),
        })
    }

    /// Bytes of a file.
    ///
    /// # Errors
    /// It is gone.
    pub fn file_bytes(&mut self, file: &FileHandle) -> Result<u64, NfsError> {
        let arguments = |message: &mut Vec<u8>| put_bytes(message, &file.handle);
        self.connection
            .call(GETATTR, &file.name, arguments, results::file_bytes)
    }

    /// Reads so many bytes of a file, up to a mebibyte. The file may have fewer, and the server may give fewer.
    ///
    /// # Errors
    /// What the server refuses.
    pub fn read(&mut self, file: &FileHandle, offset: u64, bytes: u32) -> Result<&[u8], NfsError> {
        let arguments = |message: &mut Vec<u8>| {
            put_bytes(message, &file.handle);
            put_u64(message, offset);
            put_u32(message, bytes);
        };
        let place = self
            .connection
            .call(READ, &file.name, arguments, results::data)?;
        Ok(&self.connection.answer()[place])
    }

    /// Writes bytes into a file, up to a mebibyte, which need not be on the server's disk then. How many it took.
    ///
    /// # Errors
    /// What the server refuses.
    pub fn write(&mut self, file: &FileHandle, offset: u64, data: &[u8]) -> Result<u64, NfsError> {
        let arguments = |message: &mut Vec<u8>| {
            put_bytes(message, &file.handle);
            put_u64(message, offset);
            put_u32(message, data.len() as u32);
            put_u32(message, UNSTABLE);
            put_bytes(message, data);
        };
        self.connection
            .call(WRITE, &file.name, arguments, results::written)
    }

    /// Has the server put all that was written to a file on its disk.
    ///
    /// # Errors
    /// What the server refuses.
    pub fn commit(&mut self, file: &FileHandle) -> Result<(), NfsError> {
        let arguments = |message: &mut Vec<u8>| {
            put_bytes(message, &file.handle);
            put_u64(message, 0);
            put_u32(message, 0);
        };
        self.connection
            .call(COMMIT, &file.name, arguments, results::committed)
    }
}
