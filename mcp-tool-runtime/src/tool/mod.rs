//! What is a tool, and who sees it?
//!
//! [`handler`] is the trait of every tool, [`service`] an object with several, and [`metadata`] what the attributes say that is not
//! in the definition, such as a timeout. Rules of [`visibility`] decide which callers see a tool, from what its [`info`] says; a
//! [`selection`] is the tools that one caller sees. [`adapter`] gives a tool another form, [`title`] derives a title from its name, and
//! a [`layer`] is code around calls.

pub(crate) mod adapter;
pub(crate) mod handler;
pub(crate) mod info;
pub(crate) mod layer;
pub(crate) mod metadata;
pub(crate) mod selection;
pub(crate) mod service;
pub(crate) mod title;
pub(crate) mod visibility;
