//! A trace of one site: files, and requests that arrive as a load asks for.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::arrivals::{Arrivals, CLIENTS};
use crate::error::{GenerateError, require};
use crate::load::Load;
use hotset_trace::{
    MAX_TOTAL_BYTES, Method, NO_OBJECT, Objects, PathTable, Protocol, Request, Requests, Trace,
};

/// What one request asks for.
pub(crate) struct Draw {
    pub object: Option<u32>,
    pub method: Method,
    pub bytes: u64,
}

/// A trace of one site whose requests ask for what `draw` says, request by request.
pub(crate) fn trace(
    site: &str,
    objects: Objects,
    load: Load,
    seed: u64,
    mut draw: impl FnMut(&mut Pcg64Mcg, u64) -> Draw,
) -> Result<Trace, GenerateError> {
    load.check()?;
    check_bytes(&objects, load.requests)?;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut arrivals = Arrivals::new(load, seed);
    let mut requests = Requests::default();
    for index in 0..load.requests {
        let (time_us, client) = arrivals.next(&mut random);
        requests.push(request(time_us, client, draw(&mut random, index)));
    }
    let clients = addresses(if load.requests == 0 { 0 } else { CLIENTS });
    Ok(Trace {
        sites: vec![site.to_owned()],
        clients,
        objects,
        requests,
        ..Trace::default()
    })
}

/// Refuses more bytes of files, or of so many requests for them, than a trace can have.
pub(crate) fn check_bytes(objects: &Objects, requests: u64) -> Result<(), GenerateError> {
    let bytes = objects
        .size
        .iter()
        .fold(0, |sum: u64, size| sum.saturating_add(*size));
    let most = objects
        .size
        .iter()
        .max()
        .map_or(0, |size| size.saturating_mul(requests));
    require(
        bytes.max(most) <= MAX_TOTAL_BYTES,
        "bytes of all files, or of all requests,",
        bytes.max(most),
        "at most 2^63",
    )
}

pub(crate) fn request(time_us: i64, client: u32, draw: Draw) -> Request {
    Request {
        time_us,
        client,
        site: 0,
        object: draw.object.unwrap_or(NO_OBJECT),
        bytes: draw.bytes,
        status: 200,
        method: draw.method,
        protocol: Protocol::Http11,
        access: draw.object.is_some(),
    }
}

/// A GET of a whole file.
pub(crate) fn whole_file(object: u32, sizes: &[u64]) -> Draw {
    Draw {
        object: Some(object),
        method: Method::Get,
        bytes: sizes[object as usize],
    }
}

/// `count` distinct addresses of 10.0.0.0/8.
pub(crate) fn addresses(count: u32) -> PathTable {
    let mut table = PathTable::default();
    for id in 0..count {
        let [_, b, c, d] = id.to_be_bytes();
        table.push(format!("10.{b}.{c}.{d}").as_bytes());
    }
    table
}

/// Files of one site by rising id, a thousand to a directory.
pub(crate) fn numbered_files(sizes: Vec<u64>) -> Objects {
    let mut objects = Objects {
        site: vec![0; sizes.len()],
        size: sizes,
        ..Objects::default()
    };
    for id in 0..objects.site.len() {
        objects
            .path
            .push(format!("/d{:04}/file{id:07}.html", id / 1000).as_bytes());
    }
    objects
}
