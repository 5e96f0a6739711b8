//! Arguments of calls: what is refused, what is read in another way, and the messages about it.

mod aliases;
mod buffered_numbers;
mod coercions;
mod lax;
mod lenient;
mod null;
mod null_in_unions;
mod tuples;
mod type_aliases;
mod types;
mod violations;
