//! The language of Graphviz: <https://graphviz.org/doc/info/lang.html>.

use std::fmt::{self, Write};

use super::picture::{Edge, EdgeKind, Frame, Node, Picture, Shape};
use super::{ExportError, Exporter};
use hotset_petri::Net;

/// A drawing for Graphviz: places are ellipses, ports have a double line, pages are clusters. A dashed line joins a port with its
/// socket, an inhibitor arc ends in a circle, a reset arc in a double arrow.
#[derive(Clone, Copy, Debug)]
pub struct Dot;

impl Exporter for Dot {
    fn export(&self, net: &Net) -> Result<String, ExportError> {
        let picture = Picture::of(net);
        let mut text = String::new();
        draw(&picture, net.name(), &mut text).expect("a string takes all that is written");
        Ok(text)
    }
}

fn draw(picture: &Picture, name: &str, out: &mut String) -> fmt::Result {
    writeln!(out, "digraph {} {{", quoted(name))?;
    writeln!(out, "  rankdir=LR")?;
    writeln!(out, "  graph [fontname=Helvetica, style=rounded]")?;
    writeln!(out, "  node [fontname=Helvetica, fontsize=11]")?;
    writeln!(out, "  edge [fontname=Helvetica, fontsize=10]")?;
    draw_frame(picture, &picture.frames[0], 1, out)?;
    for edge in &picture.edges {
        draw_edge(edge, out)?;
    }
    writeln!(out, "}}")
}

/// The nodes in a frame, then the frames in it.
fn draw_frame(picture: &Picture, frame: &Frame, depth: usize, out: &mut String) -> fmt::Result {
    let indent = "  ".repeat(depth);
    for &index in &frame.nodes {
        draw_node(index, &picture.nodes[index], &indent, out)?;
    }
    for &index in &frame.frames {
        let frame = &picture.frames[index];
        writeln!(out, "{indent}subgraph cluster_{index} {{")?;
        writeln!(out, "{indent}  label={}", quoted(&frame.name))?;
        draw_frame(picture, frame, depth + 1, out)?;
        writeln!(out, "{indent}}}")?;
    }
    Ok(())
}

fn draw_node(index: usize, node: &Node, indent: &str, out: &mut String) -> fmt::Result {
    let shape = match node.shape {
        Shape::Place => "shape=ellipse",
        Shape::Port => "shape=ellipse, peripheries=2",
        Shape::Transition => "shape=box",
        Shape::Page => "shape=box, peripheries=2",
    };
    let label = quoted(&node.lines.join("\n"));
    writeln!(out, "{indent}n{index} [{shape}, label={label}]")
}

fn draw_edge(edge: &Edge, out: &mut String) -> fmt::Result {
    let (from, to) = (edge.from, edge.to);
    let style = match edge.kind {
        EdgeKind::Arc => "arrowhead=normal",
        EdgeKind::BothWays => "dir=both",
        EdgeKind::Inhibitor => "arrowhead=odot",
        EdgeKind::Reset => "arrowhead=normalnormal",
        EdgeKind::Socket => "dir=none, style=dashed",
    };
    let label = edge.label.as_deref().map(quoted);
    let label = label.map_or_else(String::new, |it| format!(", label={it}"));
    writeln!(out, "  n{from} -> n{to} [{style}{label}]")
}

/// A quoted string of the language: only quotes, backslashes and line ends mean something in it.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}
