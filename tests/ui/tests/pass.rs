//! Programs without mistakes: each compiles without a warning and runs.
//!
//! They are modules of one test binary, so that they are linked once.

use std::fs;

#[path = "../pass/aliases_of_result.rs"]
mod aliases_of_result;
#[path = "../pass/alternatives_to_refused_types.rs"]
mod alternatives_to_refused_types;
#[path = "../pass/attributes_of_serde.rs"]
mod attributes_of_serde;
#[path = "../pass/borrowed_arguments.rs"]
mod borrowed_arguments;
#[path = "../pass/errors.rs"]
mod errors;
#[path = "../pass/futures.rs"]
mod futures;
#[path = "../pass/keys.rs"]
mod keys;
#[path = "../pass/list.rs"]
mod list;
#[path = "../pass/methods.rs"]
mod methods;
#[path = "../pass/methods_of_generic_types.rs"]
mod methods_of_generic_types;
#[path = "../pass/methods_written_by_a_macro.rs"]
mod methods_written_by_a_macro;
#[path = "../pass/names.rs"]
mod names;
#[path = "../pass/names_passed_by_a_macro.rs"]
mod names_passed_by_a_macro;
#[path = "../pass/parameter_attributes.rs"]
mod parameter_attributes;
#[path = "../pass/running.rs"]
mod running;
#[path = "../pass/schema_of_another_type.rs"]
mod schema_of_another_type;
#[path = "../pass/tasks.rs"]
mod tasks;
#[path = "../pass/written_by_a_macro.rs"]
mod written_by_a_macro;

#[test]
fn every_program_is_listed_here() {
    for entry in fs::read_dir("pass").expect("there is a folder of programs") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_stem().expect("a file has a name").to_string_lossy();
            assert!(include_str!("pass.rs").contains(&format!("mod {name};")), "`{name}` is not listed in `pass.rs`");
        }
    }
}
