//! The Parquet schemas and how each column is laid out.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};

/// The requests' file in the folder.
pub(super) const REQUESTS_FILE: &str = "requests.parquet";
/// The objects' file in the folder.
pub(super) const OBJECTS_FILE: &str = "objects.parquet";
/// The clients' file in the folder.
pub(super) const CLIENTS_FILE: &str = "clients.parquet";

/// Rows of a row group: what a reader decodes and a writer holds in memory at a time.
pub(super) const ROW_GROUP: usize = 1 << 20;

const REQUESTS: &str = "message requests {
    REQUIRED INT64 time (TIMESTAMP(MICROS, true));
    REQUIRED INT32 client (INTEGER(32, false));
    REQUIRED INT32 site (INTEGER(16, false));
    OPTIONAL INT32 object (INTEGER(32, false));
    REQUIRED INT64 bytes (INTEGER(64, false));
    REQUIRED INT32 status (INTEGER(16, false));
    REQUIRED BYTE_ARRAY method (STRING);
    REQUIRED BYTE_ARRAY protocol (STRING);
    REQUIRED BOOLEAN access;
";

const CONNECTION: &str = "REQUIRED INT32 connection (INTEGER(32, false));";

const OBJECTS: &str = "message objects {
    REQUIRED INT32 id (INTEGER(32, false));
    REQUIRED INT32 site (INTEGER(16, false));
    REQUIRED BYTE_ARRAY path (STRING);
    OPTIONAL BYTE_ARRAY raw_path;
    REQUIRED INT64 size (INTEGER(64, false));
}";

const CLIENTS: &str = "message clients {
    REQUIRED INT32 id (INTEGER(32, false));
    REQUIRED BYTE_ARRAY client (STRING);
    OPTIONAL BYTE_ARRAY raw_client;
}";

pub(super) fn requests(with_connections: bool) -> Result<TypePtr> {
    let connection = if with_connections { CONNECTION } else { "" };
    Ok(Arc::new(parse_message_type(&format!(
        "{REQUESTS}{connection}}}"
    ))?))
}

pub(super) fn objects() -> Result<TypePtr> {
    Ok(Arc::new(parse_message_type(OBJECTS)?))
}

pub(super) fn clients() -> Result<TypePtr> {
    Ok(Arc::new(parse_message_type(CLIENTS)?))
}

/// Columns of numbers are plain and those a cache scan reads are not compressed: decoding them is a
/// copy. Times nearly rise, so they are stored as differences. Names repeat, so they get a dictionary.
pub(super) fn properties() -> Result<WriterPropertiesPtr> {
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("hotset ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_encoding(ColumnPath::from("time"), Encoding::DELTA_BINARY_PACKED);
    for scanned in ["object", "access"] {
        builder =
            builder.set_column_compression(ColumnPath::from(scanned), Compression::UNCOMPRESSED);
    }
    for name in ["method", "protocol"] {
        builder = builder.set_column_dictionary_enabled(ColumnPath::from(name), true);
    }
    Ok(Arc::new(builder.build()))
}
