//! Tools that ask their user.

mod authors;
mod forgery;
mod in_place;
mod layers;
mod rounds;
mod tools;
