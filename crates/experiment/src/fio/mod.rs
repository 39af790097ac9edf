//! fio itself: started on jobs, what it says of them, and where their files lie.
//!
//! | deed | place |
//! | --- | --- |
//! | fio is started on jobs, and what it prints is read | `program` |
//! | jobs get their files where fio is started; logs for it | `logs` |
//! | what a run begins with where jobs write | `anew` |
//! | which reads were hits | `hits` |
//! | what of the bytes written is data, journal and metadata | `written` |
//! | where files lie | `places`; of one file: `extents` |

mod anew;
mod error;
mod extents;
mod hits;
mod logs;
mod places;
mod program;
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
pub(crate) use written::DeviceWrites;
