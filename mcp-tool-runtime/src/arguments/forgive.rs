//! What is forgiven where the exact reading found a fault, and only there.
//!
//! A `null` that is refused stands for something left out (rule I3). With `lax(true)` a text that is refused is read as
//! the number, the boolean, the array or the object that it spells: some models send `"3"` for `3`, and a JSON text for
//! an object.

use std::borrow::Cow;

use super::fault::Fault;
use super::node::Node;
use super::read;
use crate::path::{Path, Step};

/// How often the faults of what was read are looked at again: a text may hold further texts.
pub(crate) const ROUNDS: usize = 4;

/// How often a type is asked again, which tells one fault at a time.
pub(crate) const ROUNDS_OF_A_TYPE: usize = 32;

/// Mends what can be mended at the faults; whether anything was.
pub(crate) fn forgive(root: &mut Node<'_>, faults: &[Fault], texts: bool) -> bool {
    let mut forgiven = false;
    for fault in faults.iter().filter(|fault| !fault.unknown) {
        match at(root, &fault.path) {
            Some(Node::Null) => forgiven |= leave_out(root, &fault.path),
            Some(node) if texts => forgiven |= read_text(node, fault.path.steps().len()),
            _ => {}
        }
    }
    forgiven
}

/// Takes a member out of its object.
fn leave_out(root: &mut Node<'_>, path: &Path) -> bool {
    let Some((Step::Key(key), above)) = path.split_last() else { return false };
    let Some(Node::Object(members)) = at(root, &above) else { return false };
    let before = members.len();
    members.retain(|(name, _)| name != key);
    members.len() < before
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
fn read_text(node: &mut Node<'_>, depth: usize) -> bool {
    let Node::String(text) = node else { return false };
    let Ok(document) = read::text_at(text.trim(), depth) else { return false };
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
