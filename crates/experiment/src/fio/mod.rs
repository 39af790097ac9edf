//! fio itself: started on jobs, what it says of them, and where their files lie.
//!
//! | deed | place |
//! | --- | --- |
//! | fio is started on jobs, and what it prints is read | `program` |
//! | jobs get their files where fio is started; logs for it | `logs` |
//! | what a run begins with where jobs write | `anew` |
//! | which reads were hits | `hits` |
//! | what jobs have a disk write; what of it is data, journal and metadata | `write_meter`; `written` |
//! | where files lie | `places`; of one file: `extents` |

mod anew;
mod error;
mod extents;
mod hits;
mod logs;
mod places;
mod program;
mod write_meter;
mod written;

pub(crate) use anew::begin_anew;
pub use error::FioError;
pub(crate) use extents::extents;
pub(crate) use hits::limit_us;
pub(crate) use logs::{inside, lay_out};
pub(crate) use places::places;
pub(crate) use program::{
    JobFigures, MEASURED_OPTIONS, OUTPUT_FORMAT, RequestFigures, Round, check_room, figures, run,
    version,
};
pub(crate) use write_meter::WriteMeter;
pub(crate) use written::DeviceWrites;
