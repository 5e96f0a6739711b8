//! The server over standard input and output.

mod lines;
mod overload;
mod process;
mod standard_input;
mod unread_answers;
