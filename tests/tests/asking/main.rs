//! Tools that ask their user.

mod authors;
mod carriers;
mod forgery;
mod in_place;
mod layers;
mod reports;
mod rounds;
mod tools;
