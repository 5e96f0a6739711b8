//! What `lax(true)` forgives beyond rule I3: a number, a boolean, an array or an object that was sent as its text.
//!
//! Some models send `"3"` for `3`, and a JSON text for an object. It is tried only where the exact reading found a
//! fault, so a text that is meant as one stays one.

use std::borrow::Cow;

use super::fault::Fault;
use super::node::Node;
use super::read;
use crate::path::{Path, Step};

/// How often the faults of what was read are looked at again: a text may hold further texts.
pub(crate) const ROUNDS: usize = 4;

/// Reads the texts at the faults as what they spell; whether any was.
pub(crate) fn read_texts(root: &mut Node<'_>, faults: &[Fault]) -> bool {
    faults.iter().fold(false, |changed, fault| at(root, &fault.path).is_some_and(read_text) | changed)
}

/// The value at a path.
fn at<'n, 'a>(root: &'n mut Node<'a>, path: &Path) -> Option<&'n mut Node<'a>> {
    path.steps().iter().try_fold(root, |here, step| match (here, step) {
        (Node::Object(members), Step::Key(key)) => {
            members.iter_mut().find(|(name, _)| name == key).map(|(_, node)| node)
        }
        (Node::Array(elements), Step::Index(index)) => elements.get_mut(*index),
        _ => None,
    })
}

/// Puts what a text spells in its place, unless that is a text again, or nothing.
fn read_text(node: &mut Node<'_>) -> bool {
    let Node::String(text) = node else { return false };
    let Ok(document) = read::text(text.trim()) else { return false };
    let read = match document.root {
        Node::Null | Node::String(_) => return false,
        read => owned(read),
    };
    *node = read;
    true
}

/// The document without what it borrows.
fn owned<'a>(node: Node<'_>) -> Node<'a> {
    let text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    match node {
        Node::Null => Node::Null,
        Node::Bool(flag) => Node::Bool(flag),
        Node::Number(number) => Node::Number(number),
        Node::String(string) => Node::String(text(string)),
        Node::Array(elements) => Node::Array(elements.into_iter().map(owned).collect()),
        Node::Object(members) => {
            Node::Object(members.into_iter().map(|(key, node)| (text(key), owned(node))).collect())
        }
    }
}
