//! The placer of each kind.

use super::bind::Bind;
use super::hot_root::HotRoot;
use super::pin::Pin;
use super::{Placer, bind, copies};
use crate::context::Context;
use crate::{LiveError, PlacerKind, Server};

/// Looks whether files can be held in a way at all.
///
/// # Errors
/// With what is missing for it.
pub(crate) fn check(kind: PlacerKind, server: Option<&Server>) -> Result<(), LiveError> {
    match kind {
        PlacerKind::Pin => Ok(()),
        PlacerKind::HotRoot => copies::check(),
        PlacerKind::Bind => copies::check().and_then(|()| bind::check(server)),
    }
}

/// One that holds nothing yet.
///
/// # Errors
/// When it cannot hold anything for this server.
pub(crate) fn make<'l>(
    kind: PlacerKind,
    server: Option<&Server>,
    context: Context<'l>,
) -> Result<Box<dyn Placer + 'l>, LiveError> {
    let group = server.and_then(|server| server.group.clone());
    Ok(match kind {
        PlacerKind::Pin => Box::new(Pin::new(context, group)),
        PlacerKind::HotRoot => Box::new(HotRoot::new(context, group)?),
        PlacerKind::Bind => Box::new(Bind::new(context, server)?),
    })
}
