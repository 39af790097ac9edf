//! Frames that come in by the Arrow PyCapsule interface, as a trace. Nothing in a frame is believed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{
    ArrowPrimitiveType, TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use hotset_trace::{
    MAX_TOTAL_BYTES, Method, NO_OBJECT, Objects, PathTable, Protocol, Requests, Trace,
};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::FrameError;

/// Times that a trace may have: from 1970 to 2200, microseconds since 1970-01-01 UTC. Rates are counted by the minute between
/// the first and the last.
const LATEST_US: i64 = 7_258_118_400_000_000;
/// What status codes are below (RFC 9110, section 15, has three digits).
const STATUS_LIMIT: u16 = 1000;

/// A frame, called `name` in messages.
struct Frame {
    name: &'static str,
    batches: Vec<RecordBatch>,
}

impl Frame {
    fn of(name: &'static str, given: &Bound<'_, PyAny>) -> PyResult<Frame> {
        // Arrow's own checks may panic on data that breaks its rules.
        let read = catch_unwind(AssertUnwindSafe(|| batches(name, given)));
        let batches =
            read.unwrap_or_else(|_| Err(wrong(name, "its data break the rules of Arrow")))?;
        Ok(Frame { name, batches })
    }

    /// The chunks of a column.
    fn column(&self, column: &str) -> PyResult<Vec<&ArrayRef>> {
        let chunks = self.batches.iter().map(|batch| {
            let chunk = batch.column_by_name(column);
            chunk.ok_or_else(|| self.wrong(column, "is missing"))
        });
        chunks.collect()
    }

    /// A column of numbers.
    fn numbers<A: ArrowPrimitiveType>(&self, column: &str) -> PyResult<Vec<A::Native>> {
        let mut all = Vec::new();
        for chunk in self.column(column)? {
            self.refuse_absent(column, chunk)?;
            let numbers = chunk.as_primitive_opt::<A>();
            let numbers = numbers.ok_or_else(|| self.type_of(column, chunk, &A::DATA_TYPE))?;
            all.extend_from_slice(numbers.values());
        }
        Ok(all)
    }

    /// Ids of files, of which some may be absent.
    fn ids(&self, column: &str) -> PyResult<Vec<u32>> {
        let mut all = Vec::new();
        for chunk in self.column(column)? {
            let ids = chunk.as_primitive_opt::<UInt32Type>();
            let ids = ids.ok_or_else(|| self.type_of(column, chunk, &DataType::UInt32))?;
            all.extend(ids.iter().map(|id| id.unwrap_or(NO_OBJECT)));
        }
        Ok(all)
    }

    fn truths(&self, column: &str) -> PyResult<Vec<bool>> {
        let mut all = Vec::new();
        for chunk in self.column(column)? {
            self.refuse_absent(column, chunk)?;
            let truths = chunk.as_boolean_opt();
            let truths = truths.ok_or_else(|| self.type_of(column, chunk, &DataType::Boolean))?;
            all.extend(truths.values().iter());
        }
        Ok(all)
    }

    fn texts(&self, column: &str) -> PyResult<PathTable> {
        let mut all = PathTable::default();
        for chunk in self.column(column)? {
            self.refuse_absent(column, chunk)?;
            match chunk.data_type() {
                DataType::Utf8 => push(&mut all, chunk.as_string::<i32>().iter()),
                DataType::LargeUtf8 => push(&mut all, chunk.as_string::<i64>().iter()),
                DataType::Utf8View => push(&mut all, chunk.as_string_view().iter()),
                _ => return Err(self.type_of(column, chunk, &DataType::LargeUtf8)),
            }
        }
        Ok(all)
    }

    fn refuse_absent(&self, column: &str, chunk: &ArrayRef) -> PyResult<()> {
        match chunk.logical_null_count() {
            0 => Ok(()),
            absent => Err(self.wrong(
                column,
                &format!("has {absent} nulls; fill them or drop the rows"),
            )),
        }
    }

    fn type_of(&self, column: &str, chunk: &ArrayRef, wanted: &DataType) -> PyErr {
        self.wrong(
            column,
            &format!("is {}; cast it to {wanted}", chunk.data_type()),
        )
    }

    fn wrong(&self, column: &str, why: &str) -> PyErr {
        wrong(self.name, &format!("column {column} {why}"))
    }
}

fn wrong(frame: &str, why: &str) -> PyErr {
    FrameError::new_err(format!("{frame}: {why}"))
}

fn push<'a>(all: &mut PathTable, texts: impl Iterator<Item = Option<&'a str>>) {
    texts.for_each(|text| all.push(text.unwrap_or_default().as_bytes()));
}

/// The batches of a frame.
fn batches(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let capsule = given.call_method0("__arrow_c_stream__").map_err(|_| {
        wrong(
            name,
            "is no frame: give one that has __arrow_c_stream__, as polars and pyarrow have",
        )
    })?;
    let capsule = capsule.cast::<PyCapsule>();
    let capsule = capsule.map_err(|_| wrong(name, "gives no capsule"))?;
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"));
    let stream = stream.map_err(|_| wrong(name, "gives a capsule of something else"))?;
    #[allow(unsafe_code, reason = "the interface hands a pointer over")]
    // SAFETY: a capsule of this name holds a stream of Arrow's C interface, and lives until the end of this function. The
    // stream is moved out of it, as the interface wants.
    let reader = unsafe {
        RecordBatchStreamReader::from_raw(stream.as_ptr().cast::<FFI_ArrowArrayStream>())
    };
    let reader = reader.map_err(|error| wrong(name, &error.to_string()))?;
    let batches: Result<Vec<_>, _> = reader.collect();
    batches.map_err(|error| wrong(name, &error.to_string()))
}

/// A trace of three frames, as `Trace.requests`, `objects` and `clients` give them.
pub fn trace(
    requests: &Bound<'_, PyAny>,
    objects: &Bound<'_, PyAny>,
    clients: &Bound<'_, PyAny>,
    sites: Vec<String>,
) -> PyResult<Trace> {
    let objects = objects_of(&Frame::of("objects", objects)?)?;
    let clients = Frame::of("clients", clients)?.texts("client")?;
    let requests = requests_of(&Frame::of("requests", requests)?)?;
    check_ids(
        "requests: column site",
        &requests.site,
        sites.len(),
        "sites",
    )?;
    check_ids("objects: column site", &objects.site, sites.len(), "sites")?;
    check_clients(&requests, clients.len())?;
    let files = requests.object.iter().filter(|id| **id != NO_OBJECT);
    check_ids("requests: column object", files, objects.len(), "objects")?;
    check_read_bytes(&requests, &objects)?;
    Ok(Trace {
        sites,
        clients,
        objects,
        requests,
        ..Trace::default()
    })
}

/// What caches and plans add up has to stay within 64 bits.
fn check_read_bytes(requests: &Requests, objects: &Objects) -> PyResult<()> {
    let files = requests.object.iter().filter(|id| **id != NO_OBJECT);
    let read = files.map(|id| u128::from(objects.size[*id as usize]));
    match read.sum::<u128>() <= u128::from(MAX_TOTAL_BYTES) {
        true => Ok(()),
        false => Err(wrong(
            "objects",
            &format!("column size adds up to more than {MAX_TOTAL_BYTES} over all requests"),
        )),
    }
}

fn check_ids<'a, T: Copy + Into<u32> + 'a>(
    what: &str,
    ids: impl IntoIterator<Item = &'a T>,
    rows: usize,
    table: &str,
) -> PyResult<()> {
    let beyond = ids.into_iter().map(|id| (*id).into());
    match beyond.max() {
        Some(id) if id as usize >= rows => Err(FrameError::new_err(format!(
            "{what} has the id {id}, and there are {rows} {table}; ids are rows of {table}, counted from 0"
        ))),
        _ => Ok(()),
    }
}

/// Ids of clients are rows of their names. Without names they are dense all the same, so that tables by client stay small.
fn check_clients(requests: &Requests, named: usize) -> PyResult<()> {
    if named > 0 {
        return check_ids(
            "requests: column client",
            &requests.client,
            named,
            "clients",
        );
    }
    let rows = requests.len();
    match requests.client.iter().max() {
        Some(id) if *id as usize >= rows => Err(FrameError::new_err(format!(
            "requests: column client has the id {id}, and there are {rows} requests; number clients without names from 0 on, without gaps"
        ))),
        _ => Ok(()),
    }
}

fn objects_of(frame: &Frame) -> PyResult<Objects> {
    let objects = Objects {
        site: frame.numbers::<UInt16Type>("site")?,
        size: frame.numbers::<UInt64Type>("size")?,
        path: frame.texts("path")?,
    };
    if objects.size.contains(&0) {
        return Err(frame.wrong("size", "has a 0; a file is at least 1 byte"));
    }
    check_sum(frame, "size", &objects.size)?;
    Ok(objects)
}

fn requests_of(frame: &Frame) -> PyResult<Requests> {
    let requests = Requests {
        time_us: frame.numbers::<TimestampMicrosecondType>("time")?,
        client: frame.numbers::<UInt32Type>("client")?,
        site: frame.numbers::<UInt16Type>("site")?,
        object: frame.ids("object")?,
        bytes: frame.numbers::<UInt64Type>("bytes")?,
        status: frame.numbers::<UInt16Type>("status")?,
        method: coded(frame, "method", method)?,
        protocol: coded(frame, "protocol", protocol)?,
        access: frame.truths("access")?,
    };
    if requests.is_empty() {
        return Err(wrong(frame.name, "has no rows"));
    }
    if !requests
        .time_us
        .iter()
        .all(|us| (0..LATEST_US).contains(us))
    {
        return Err(frame.wrong("time", "has a time before 1970 or after 2199"));
    }
    if !requests.status.iter().all(|status| *status < STATUS_LIMIT) {
        return Err(frame.wrong("status", "has a code of more than three digits"));
    }
    let mut reads = requests.access.iter().zip(&requests.object);
    if reads.any(|(access, object)| *access && *object == NO_OBJECT) {
        return Err(frame.wrong("access", "is true in a row without an object"));
    }
    check_sum(frame, "bytes", &requests.bytes)?;
    Ok(requests)
}

fn check_sum(frame: &Frame, column: &str, bytes: &[u64]) -> PyResult<()> {
    let sum = bytes
        .iter()
        .try_fold(0u64, |sum, bytes| sum.checked_add(*bytes));
    match sum.filter(|sum| *sum <= MAX_TOTAL_BYTES) {
        Some(_) => Ok(()),
        None => Err(frame.wrong(column, &format!("adds up to more than {MAX_TOTAL_BYTES}"))),
    }
}

fn coded<T>(frame: &Frame, column: &str, of: fn(u8) -> Option<T>) -> PyResult<Vec<T>> {
    let codes = frame.numbers::<UInt8Type>(column)?;
    let values: Option<Vec<T>> = codes.into_iter().map(of).collect();
    values.ok_or_else(|| frame.wrong(column, "has a number above 3"))
}

fn method(code: u8) -> Option<Method> {
    use Method::{Get, Head, Other, Post};
    [Get, Head, Post, Other].get(usize::from(code)).copied()
}

fn protocol(code: u8) -> Option<Protocol> {
    use Protocol::{Http2, Http10, Http11, Unknown};
    [Http10, Http11, Http2, Unknown]
        .get(usize::from(code))
        .copied()
}
