//! Programs with tools, right and wrong. The tests of this package compare what the compiler says with what is expected.
