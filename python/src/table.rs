//! Tables that go out by the Arrow PyCapsule interface, without copies of their numbers.

use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, LargeStringArray, PrimitiveArray,
    RecordBatch, RecordBatchIterator, TimestampMicrosecondArray, UInt8Array,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, ScalarBuffer};
use bytemuck::NoUninit;
use bytes::Bytes;
use hotset_actions::Input;
use hotset_trace::NO_OBJECT;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors;

/// A table of a trace or a result, for any data-frame library that takes the Arrow PyCapsule interface.
#[pyclass(frozen, module = "hotset")]
pub struct Table(RecordBatch);

/// A column of a trace, which is kept alive by it.
struct Column<T: 'static> {
    input: Arc<Input>,
    of: fn(&Input) -> &[T],
}

impl<T: NoUninit> AsRef<[u8]> for Column<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice((self.of)(&self.input))
    }
}

fn shared<T: ArrowNativeType + NoUninit>(
    input: &Arc<Input>,
    of: fn(&Input) -> &[T],
) -> ScalarBuffer<T> {
    let input = Arc::clone(input);
    ScalarBuffer::from(Buffer::from(Bytes::from_owner(Column { input, of })))
}

fn column<A: ArrowPrimitiveType<Native: NoUninit>>(
    input: &Arc<Input>,
    of: fn(&Input) -> &[A::Native],
) -> ArrayRef {
    Arc::new(PrimitiveArray::<A>::new(shared(input, of), None))
}

impl Table {
    /// The requests, in log order. `method` and `protocol` are the numbers of [`hotset_trace::Method`] and
    /// [`hotset_trace::Protocol`]; they and `access` are copied.
    pub fn of_requests(input: &Arc<Input>) -> PyResult<Table> {
        let requests = &input.trace.requests;
        let times = shared(input, |it| &it.trace.requests.time_us);
        let files = shared(input, |it| &it.trace.requests.object);
        let is_file = NullBuffer::from_iter(requests.object.iter().map(|id| *id != NO_OBJECT));
        let methods = requests.method.iter().map(|method| *method as u8);
        let protocols = requests.protocol.iter().map(|protocol| *protocol as u8);
        let time = TimestampMicrosecondArray::new(times, None).with_timezone("UTC");
        let object = PrimitiveArray::<UInt32Type>::new(files, Some(is_file));
        Table::of(vec![
            ("time", Arc::new(time)),
            (
                "client",
                column::<UInt32Type>(input, |it| &it.trace.requests.client),
            ),
            (
                "site",
                column::<UInt16Type>(input, |it| &it.trace.requests.site),
            ),
            ("object", Arc::new(object)),
            (
                "bytes",
                column::<UInt64Type>(input, |it| &it.trace.requests.bytes),
            ),
            (
                "status",
                column::<UInt16Type>(input, |it| &it.trace.requests.status),
            ),
            ("method", Arc::new(UInt8Array::from_iter_values(methods))),
            (
                "protocol",
                Arc::new(UInt8Array::from_iter_values(protocols)),
            ),
            (
                "access",
                Arc::new(BooleanArray::from(requests.access.clone())),
            ),
        ])
    }

    /// The files; the row is the id. Paths are copied.
    pub fn of_objects(input: &Arc<Input>) -> PyResult<Table> {
        let objects = &input.trace.objects;
        let paths = (0..objects.len() as u32).map(|id| objects.display_path(id));
        Table::of(vec![
            (
                "site",
                column::<UInt16Type>(input, |it| &it.trace.objects.site),
            ),
            ("path", Arc::new(LargeStringArray::from_iter_values(paths))),
            (
                "size",
                column::<UInt64Type>(input, |it| &it.trace.objects.size),
            ),
        ])
    }

    /// The clients; the row is the id.
    pub fn of_clients(input: &Arc<Input>) -> PyResult<Table> {
        let clients = &input.trace.clients;
        let names = (0..clients.len()).map(|id| clients.display(id));
        Table::of(vec![(
            "client",
            Arc::new(LargeStringArray::from_iter_values(names)),
        )])
    }

    /// Columns under their names.
    pub fn of(columns: Vec<(&str, ArrayRef)>) -> PyResult<Table> {
        let columns = columns.into_iter();
        // Only what may be absent, such as ids of files.
        let columns = columns.map(|(name, column)| {
            let may_be_absent = column.is_nullable();
            (name, column, may_be_absent)
        });
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        batch.map(Table).map_err(errors::internal)
    }
}

#[pymethods]
impl Table {
    /// Number of rows.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let fields = self.0.schema_ref().fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The table as a stream of one batch; a schema that is requested is not heeded, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The types of the columns.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema_ref().as_ref());
        let schema = schema.map_err(errors::internal)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        format!(
            "<hotset.Table of {} rows: {}>",
            self.0.num_rows(),
            self.columns().join(", ")
        )
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Table>()
}
