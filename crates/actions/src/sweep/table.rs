//! The table of a sweep as a Parquet file.

use std::sync::Arc;

use hotset_report::{SiteFigures, SweepPoint};
use hotset_scenario::Variation;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{Type, TypePtr};

/// Columns behind those of the varied keys, which stand first.
const FIXED: &str = "message fixed {
    REQUIRED INT64 seed (INTEGER(64, false));
    OPTIONAL BYTE_ARRAY site (STRING);
    OPTIONAL DOUBLE throughput_per_s;
    OPTIONAL DOUBLE mean_us;
    OPTIONAL DOUBLE p50_us;
    OPTIONAL DOUBLE p95_us;
    OPTIONAL DOUBLE p99_us;
    OPTIONAL DOUBLE first_byte_p95_us;
    OPTIONAL DOUBLE hit_ratio;
    OPTIONAL INT64 errors (INTEGER(64, false));
    OPTIONAL BYTE_ARRAY bottleneck (STRING);
}";

/// The figures of a site, in the order of the columns.
const FIGURES: [fn(&SiteFigures) -> Option<f64>; 7] = [
    |it| it.throughput_per_s,
    |it| it.mean_us,
    |it| it.p50_us,
    |it| it.p95_us,
    |it| it.p99_us,
    |it| it.first_byte_p95_us,
    |it| it.hit_ratio,
];

/// A site at a point.
type Row<'p> = (&'p SweepPoint, &'p SiteFigures);

/// The bytes of the file: a row for each site at each point. Nothing in it depends on when or where it is made.
///
/// # Errors
/// None that any figures bring about.
pub(super) fn parquet(vary: &[Variation], seed: u64, points: &[SweepPoint]) -> Result<Vec<u8>> {
    let rows = points.iter().flat_map(|point| {
        let sites = point.figures.sites.iter();
        sites.map(move |site| (point, site))
    });
    let rows: Vec<Row<'_>> = rows.collect();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema(vary)?, properties()?)?;
    let mut group = writer.next_row_group()?;
    for (at, key) in vary.iter().enumerate() {
        let values = rows
            .iter()
            .map(|(point, _)| &key.values()[point.places[at]]);
        match key.unit() {
            Some(_) => {
                let figures: Vec<f64> = values.filter_map(|it| it.figure).collect();
                write::<DoubleType>(&mut group, &figures, None)?;
            }
            None => {
                let texts: Vec<ByteArray> = values.map(|it| text(&it.text)).collect();
                write::<ByteArrayType>(&mut group, &texts, None)?;
            }
        }
    }
    write::<Int64Type>(&mut group, &vec![seed.cast_signed(); rows.len()], None)?;
    write_known::<ByteArrayType>(
        &mut group,
        rows.iter().map(|it| it.1.site.as_deref().map(text)),
    )?;
    for figure in FIGURES {
        write_known::<DoubleType>(&mut group, rows.iter().map(|it| figure(it.1)))?;
    }
    let errors = rows.iter().map(|it| it.1.errors.map(u64::cast_signed));
    write_known::<Int64Type>(&mut group, errors)?;
    let bottleneck = |it: &Row<'_>| it.0.figures.bottleneck.as_deref().map(text);
    write_known::<ByteArrayType>(&mut group, rows.iter().map(bottleneck))?;
    group.close()?;
    writer.into_inner()
}

fn text(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
}

fn schema(vary: &[Variation]) -> Result<TypePtr> {
    let varied = vary.iter().map(|key| {
        // Names of nodes may have any characters, so these stand in no text of a schema.
        let (kind, logical) = match key.unit() {
            Some(_) => (PhysicalType::DOUBLE, None),
            None => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let column = Type::primitive_type_builder(key.path(), kind)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical);
        column.build().map(Arc::new)
    });
    let mut columns = varied.collect::<Result<Vec<TypePtr>>>()?;
    columns.extend(parse_message_type(FIXED)?.get_fields().iter().cloned());
    let table = Type::group_type_builder("sweep").with_fields(columns);
    table.build().map(Arc::new)
}

fn properties() -> Result<WriterPropertiesPtr> {
    let compression = Compression::ZSTD(ZstdLevel::try_new(1)?);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("hotset ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(compression);
    Ok(Arc::new(properties.build()))
}

type Group<'w> = SerializedRowGroupWriter<'w, Vec<u8>>;

/// A column of values that may not be known.
fn write_known<T: DataType>(
    group: &mut Group<'_>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let (mut known, mut levels) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        known.extend(value);
    }
    write::<T>(group, &known, Some(&levels))
}

/// The next column.
fn write<T: DataType>(
    group: &mut Group<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("more columns than the schema has".into()))?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}
