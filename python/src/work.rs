//! Work beside the interpreter: its lock is free meanwhile, and Ctrl-C ends the wait.

use std::ops::ControlFlow;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use hotset_actions::{Message, Watch as _};
use hotset_cache::Stop;
use hotset_trace::read::Progress;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::errors::InternalError;
use crate::words::said;

/// How long Ctrl-C waits at most; a person does not notice.
const PATIENCE: Duration = Duration::from_millis(50);

/// What a caller and its work tell each other.
#[derive(Clone, Default)]
pub struct Watch(Arc<Shared>);

#[derive(Default)]
struct Shared {
    stop: Stop,
    bytes: AtomicU64,
    /// 0 where it is not known.
    total_bytes: AtomicU64,
    warnings: Mutex<Vec<Message>>,
}

impl hotset_actions::Watch for Watch {
    fn bytes(&self, done: u64, total: Option<u64>) {
        self.0.bytes.store(done, Ordering::Relaxed);
        let total = total.unwrap_or(0);
        self.0.total_bytes.store(total, Ordering::Relaxed);
    }

    fn warn(&self, warning: Message) {
        let warnings = self.0.warnings.lock();
        let mut warnings = warnings.unwrap_or_else(PoisonError::into_inner);
        warnings.push(warning);
    }

    fn stops(&self) -> bool {
        self.0.stop.is_asked()
    }

    fn stop(&self) -> Option<Stop> {
        Some(self.0.stop.clone())
    }
}

impl Watch {
    /// What readers of logs are given to tell how far they are.
    pub fn progress(&self) -> impl FnMut(Progress) -> ControlFlow<()> + use<> {
        let watch = self.clone();
        move |progress| {
            watch.bytes(progress.bytes, progress.total_bytes);
            match watch.stops() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }

    /// Has Python warn of what is to be known that is no error.
    fn pass_warnings_on(&self, py: Python<'_>) -> PyResult<()> {
        let warnings = self.0.warnings.lock();
        let warnings = warnings.unwrap_or_else(PoisonError::into_inner).clone();
        let mut warnings = warnings.iter();
        warnings.try_for_each(|warning| warn(py, &said(warning)))
    }

    fn tell(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(progress) = progress else {
            return Ok(());
        };
        let total = self.0.total_bytes.load(Ordering::Relaxed);
        let total = (total > 0).then_some(total);
        let bytes = self.0.bytes.load(Ordering::Relaxed);
        progress.call1(py, (bytes, total)).map(drop)
    }
}

/// Has Python warn of something.
pub fn warn(py: Python<'_>, warning: &str) -> PyResult<()> {
    // PyErr::warn takes no text with a zero in it, which a site may have in its name.
    let kind = py.get_type::<PyUserWarning>();
    let warnings = py.import("warnings")?;
    warnings.call_method1("warn", (warning, kind)).map(drop)
}

/// Does `job` on a thread of its own and waits for it. Meanwhile `progress`, or what shows it in a notebook, is called with the bytes that were read and
/// those of all logs, where that is known.
///
/// What the job warns of becomes a `UserWarning` once it is done. Where a signal ends the wait, the job is asked to stop. What it gives
/// nevertheless is dropped.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    job: impl FnOnce(&Watch) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let shown = match progress {
        Some(progress) => Some(progress.clone_ref(py)),
        None => in_notebook(py)?,
    };
    let progress = shown.as_ref();
    let watch = Watch::default();
    let (done, mut result) = channel();
    let of_job = watch.clone();
    let thread = thread::Builder::new().name("hotset".into());
    let spawned = thread.spawn(move || {
        // The caller may have gone.
        let _heard = done.send(job(&of_job));
    });
    spawned.map_err(|error| InternalError::new_err(format!("no thread to work on: {error}")))?;
    loop {
        // Lent as a whole: a receiver may be waited for by one thread at a time.
        let waiting = &mut result;
        match py.detach(move || waiting.recv_timeout(PATIENCE)) {
            Ok(result) => {
                watch.tell(py, progress)?;
                let result = result?;
                watch.pass_warnings_on(py)?;
                return Ok(result);
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = py.check_signals().and_then(|()| watch.tell(py, progress));
                if told.is_err() {
                    watch.0.stop.ask();
                    told?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(InternalError::new_err(
                    "a fault of hotset, whose message is on standard error; please report it",
                ));
            }
        }
    }
}

/// What shows progress in a notebook; none elsewhere.
fn in_notebook(py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
    let shown = py.import("hotset._progress")?.call_method0("in_notebook")?;
    Ok((!shown.is_none()).then(|| shown.unbind()))
}

/// A damaged trace folder makes its decoder panic; what the user is told of it is the error it becomes.
pub fn quieten_caught_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !hotset_trace::folder::is_decoding() {
            hook(info);
        }
    }));
}
