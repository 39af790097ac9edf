//! A text for people: page by page, each place and each transition with its arcs.

use std::fmt::{self, Write};

use super::hierarchy::{Sheet, name, sheets};
use super::picture::{colour, marking, said, urgency};
use super::{ExportError, Exporter};
use hotset_petri::{DrawnPlace, DrawnTransition, Net, PlaceId, Wording};

/// A text for people.
#[derive(Clone, Copy, Debug)]
pub struct Text;

impl Exporter for Text {
    fn export(&self, net: &Net) -> Result<String, ExportError> {
        let mut text = format!("net {}\n", net.name());
        let pages = sheets(net);
        write_page(net, &pages, 0, 1, &mut text).expect("a string takes all that is written");
        Ok(text)
    }
}

/// The places and transitions of a page, then the pages on it.
fn write_page(
    net: &Net,
    pages: &[Sheet<'_>],
    index: usize,
    depth: usize,
    out: &mut String,
) -> fmt::Result {
    let indent = "  ".repeat(depth);
    let page = &pages[index];
    for &place in &page.places {
        let place = &net.drawing().places[place];
        let what = place_in_words(place, net);
        writeln!(out, "{indent}place {}: {what}", name(&place.path))?;
    }
    for &transition in &page.transitions {
        write_transition(&net.drawing().transitions[transition], net, &indent, out)?;
    }
    for &below in &page.pages {
        writeln!(out, "{indent}page {}", name(pages[below].path))?;
        write_page(net, pages, below, depth + 1, out)?;
    }
    Ok(())
}

fn place_in_words(place: &DrawnPlace, net: &Net) -> String {
    let mut words = vec![colour(place).unwrap_or_else(|| "unit".to_owned())];
    words.extend((place.holding.initial > 0).then(|| marking(place)));
    if let Some(socket) = place.socket {
        let socket = &net.drawing().places[socket as usize].path;
        words.push(format!("port, connected to {socket}"));
    }
    words.extend(place.sets.iter().map(|set| format!("fused as {set}")));
    words.join("; ")
}

fn write_transition(
    it: &DrawnTransition,
    net: &Net,
    indent: &str,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "{indent}transition {}", name(&it.path))?;
    let mut list = |what: &str, members: Vec<String>| match members.is_empty() {
        true => Ok(()),
        false => writeln!(out, "{indent}  {what} {}", members.join(", ")),
    };
    let of = |place: PlaceId| name(&net.drawing().places[place.number()].path);
    let coloured = it.coloured_in.iter().map(|it| of(*it).to_owned());
    let units = it.needs.iter().map(|it| several(of(it.0), it.1));
    list("takes", coloured.chain(units).collect())?;
    list("gives", gives(it, of))?;
    let bounds = it.inhibitors.iter().map(|it| match it.1 {
        1 => format!("{} is empty", of(it.0)),
        below => format!("{} holds fewer than {below}", of(it.0)),
    });
    list("while", bounds.collect())?;
    let resets = it.resets.iter().map(|it| of(*it).to_owned());
    list("resets", resets.collect())?;
    list("when", Vec::from_iter(it.guard.as_ref().map(guard)))?;
    let delay = (!it.delay.is_none()).then(|| format!("{:?}", it.delay));
    list("delay", Vec::from_iter(delay))?;
    let objects = net.drawing().borrowed(it);
    list("borrows", objects.map(|it| name(it).to_owned()).collect())?;
    list("with", Vec::from_iter(urgency(it)))
}

fn guard(it: &Wording) -> String {
    it.in_words().unwrap_or("its guard accepts").to_owned()
}

fn gives<'a>(it: &DrawnTransition, of: impl Fn(PlaceId) -> &'a str) -> Vec<String> {
    let coloured = it.coloured_out.iter().map(|it| {
        let quantity = said(it).map_or_else(String::new, |it| format!(" ({it})"));
        (format!("{}{quantity}", of(it.place)), &it.after)
    });
    let units = it.gives.iter();
    let units = units.map(|it| (several(of(it.place), it.count), &it.after));
    let arcs = coloured
        .chain(units)
        .map(|(place, after)| match after.is_none() {
            true => place,
            false => format!("{place} after {after:?}"),
        });
    arcs.collect()
}

fn several(place: &str, count: u32) -> String {
    match count {
        1 => place.to_owned(),
        _ => format!("{count} of {place}"),
    }
}
