//! Defines what a tool is.
//!
//! [`handler`] is the trait of every tool, [`service`] an object with several, and [`metadata`] what the attributes say that is not
//! in the definition, such as a timeout. [`adapter`] gives a tool another form, [`title`] derives a title from its name, and a
//! [`layer`] is code around calls.

pub(crate) mod adapter;
pub(crate) mod handler;
pub(crate) mod layer;
pub(crate) mod metadata;
pub(crate) mod service;
pub(crate) mod title;
