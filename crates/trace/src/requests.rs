//! Requests as columns.

use std::ops::Range;

/// The object id of a request that is not for a file (a dynamic page, a missing file, a POST).
pub const NO_OBJECT: u32 = u32::MAX;

/// Request method, as far as hotset tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Method {
    /// GET
    Get = 0,
    /// HEAD
    Head = 1,
    /// POST
    Post = 2,
    /// Anything else: PUT, DELETE, OPTIONS, extension methods.
    Other = 3,
}

/// Protocol version, which decides whether a connection can carry several requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Protocol {
    /// HTTP/0.9 (a request line without a protocol) or HTTP/1.0.
    Http10 = 0,
    /// HTTP/1.1.
    Http11 = 1,
    /// HTTP/2 or HTTP/3.
    Http2 = 2,
    /// The log does not say.
    Unknown = 3,
}

/// One request: a row of [`Requests`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Microseconds since 1970-01-01 UTC.
    pub time_us: i64,
    /// Dense client id, an index of [`crate::Trace::clients`].
    pub client: u32,
    /// Dense site id, an index of [`crate::Trace::sites`].
    pub site: u16,
    /// Dense object id, an index of [`crate::Objects`], or [`NO_OBJECT`].
    pub object: u32,
    /// Bytes of the response body as logged; 0 where the log says `-`.
    pub bytes: u64,
    /// Response status.
    pub status: u16,
    /// Request method.
    pub method: Method,
    /// Protocol version.
    pub protocol: Protocol,
    /// Whether planning and cache scans count this request: it reads its object's data.
    pub access: bool,
}

/// Requests as columns of equal length, one entry a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Microseconds since 1970-01-01 UTC.
    pub time_us: Vec<i64>,
    /// Dense client id.
    pub client: Vec<u32>,
    /// Dense site id.
    pub site: Vec<u16>,
    /// Dense object id, or [`NO_OBJECT`].
    pub object: Vec<u32>,
    /// Response body bytes.
    pub bytes: Vec<u64>,
    /// Response status.
    pub status: Vec<u16>,
    /// Request method.
    pub method: Vec<Method>,
    /// Protocol version.
    pub protocol: Vec<Protocol>,
    /// Whether planning and cache scans count this request.
    pub access: Vec<bool>,
}

impl Requests {
    /// Number of requests.
    pub fn len(&self) -> usize {
        self.time_us.len()
    }

    /// Whether there is no request.
    pub fn is_empty(&self) -> bool {
        self.time_us.is_empty()
    }

    /// Appends one request.
    pub fn push(&mut self, request: Request) {
        self.time_us.push(request.time_us);
        self.client.push(request.client);
        self.site.push(request.site);
        self.object.push(request.object);
        self.bytes.push(request.bytes);
        self.status.push(request.status);
        self.method.push(request.method);
        self.protocol.push(request.protocol);
        self.access.push(request.access);
    }

    /// Appends requests, column by column: a third of the time that one after the other takes.
    pub(crate) fn push_all(&mut self, requests: &[Request]) {
        let requests = || requests.iter();
        self.time_us.extend(requests().map(|it| it.time_us));
        self.client.extend(requests().map(|it| it.client));
        self.site.extend(requests().map(|it| it.site));
        self.object.extend(requests().map(|it| it.object));
        self.bytes.extend(requests().map(|it| it.bytes));
        self.status.extend(requests().map(|it| it.status));
        self.method.extend(requests().map(|it| it.method));
        self.protocol.extend(requests().map(|it| it.protocol));
        self.access.extend(requests().map(|it| it.access));
    }

    /// The request in row `row`.
    ///
    /// # Panics
    /// When `row` is not below [`Requests::len`].
    pub fn get(&self, row: usize) -> Request {
        Request {
            time_us: self.time_us[row],
            client: self.client[row],
            site: self.site[row],
            object: self.object[row],
            bytes: self.bytes[row],
            status: self.status[row],
            method: self.method[row],
            protocol: self.protocol[row],
            access: self.access[row],
        }
    }

    /// Forgets all rows and keeps the memory, so that a batch can be filled again.
    pub fn clear(&mut self) {
        self.time_us.clear();
        self.client.clear();
        self.site.clear();
        self.object.clear();
        self.bytes.clear();
        self.status.clear();
        self.method.clear();
        self.protocol.clear();
        self.access.clear();
    }

    /// Appends all rows of `other`.
    pub fn extend(&mut self, other: &Requests) {
        self.extend_from_rows(other, 0..other.len());
    }

    /// Appends the rows `rows` of `other`.
    ///
    /// # Panics
    /// When `rows` reaches beyond [`Requests::len`] of `other`.
    pub fn extend_from_rows(&mut self, other: &Requests, rows: Range<usize>) {
        self.time_us.extend_from_slice(&other.time_us[rows.clone()]);
        self.client.extend_from_slice(&other.client[rows.clone()]);
        self.site.extend_from_slice(&other.site[rows.clone()]);
        self.object.extend_from_slice(&other.object[rows.clone()]);
        self.bytes.extend_from_slice(&other.bytes[rows.clone()]);
        self.status.extend_from_slice(&other.status[rows.clone()]);
        self.method.extend_from_slice(&other.method[rows.clone()]);
        self.protocol
            .extend_from_slice(&other.protocol[rows.clone()]);
        self.access.extend_from_slice(&other.access[rows]);
    }
}
