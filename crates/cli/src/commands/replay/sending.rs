//! How it is sent.

use anyhow::{Result, anyhow};
use hotset_replay::{
    Clients, Closed, HostHeader, Load, Options, ReplayError, Replayed, Schedule, Target, WarmUp,
    replay,
};

use super::args::{Args, WarmUpArg};
use super::live::Live;
use crate::interrupt;
use crate::output::Usage;

/// Of the arguments.
pub fn options(args: &Args, target: Target) -> Result<Options> {
    let how = &args.how;
    Ok(Options {
        host: match how.host.as_deref() {
            None => HostHeader::Url,
            Some("site") => HostHeader::Site,
            Some(name) => HostHeader::Fixed(host_name(name)?),
        },
        load: load(args),
        connections_max: how.connections_max.map(|connections| connections as usize),
        connect_timeout: how.connect_timeout,
        response_timeout: how.response_timeout,
        warm_up: match how.warm_up {
            None => WarmUp::None,
            Some(WarmUpArg::For(time)) => WarmUp::Duration(time),
            Some(WarmUpArg::Requests(requests)) => WarmUp::Requests(requests),
        },
        insecure: how.insecure,
        threads: how.threads.into(),
        ..Options::new(target)
    })
}

fn load(args: &Args) -> Load {
    let Some(clients) = args.what.clients else {
        return Load::Open;
    };
    Load::Closed(Closed {
        clients: Clients::Shared(clients as usize),
        think: args.what.think,
        duration: args.what.duration,
    })
}

/// A name that stands in a header as it is.
fn host_name(name: &str) -> Result<String> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(name.to_owned());
    }
    Err(Usage(format!(
        "--host {name:?}: write a host name such as www.example.com"
    ))
    .into())
}

/// Sends; on Ctrl-C it stops and reports what was measured until then.
pub fn send(schedule: &Schedule, options: &Options) -> Result<Replayed> {
    let _guard = interrupt::Guard::new();
    let live = Live::new(schedule, options);
    let replayed = usage(replay(schedule, options, &live));
    // From here on Ctrl-C is answered at once again, and errors speak for themselves.
    interrupt::forget();
    replayed
}

/// Errors of the arguments as such.
pub fn usage<T>(result: Result<T, ReplayError>) -> Result<T> {
    result.map_err(|error| match error {
        ReplayError::Url { .. } | ReplayError::Option { .. } => Usage(error.to_string()).into(),
        error => anyhow!(error),
    })
}
