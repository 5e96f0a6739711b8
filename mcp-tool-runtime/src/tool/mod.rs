//! Defines what a tool is, and changes tools when they are registered.
//!
//! [`ToolHandler`](crate::ToolHandler) and [`IntoService`](crate::IntoService) have methods that change tools. These
//! methods return the types of this module.

pub use adapter::ShapedTool;
pub use argument_shape::ArgumentShape;
pub use handler::IntoTools;
pub use service::ShapedService;

// `handler` has the trait of every tool, and `service` has the trait of objects with several tools. `metadata` holds
// what the attributes declare in addition to the definition, such as a timeout. `adapter` changes the name or the
// arguments of a tool. `argument_shape` changes an argument in the schema, and `argument_changes` turns the arguments
// of each call into those that the tool reads. `middleware` has the trait of code that runs around calls.

pub(crate) mod adapter;
pub(crate) mod argument_changes;
pub(crate) mod argument_shape;
pub(crate) mod handler;
pub(crate) mod metadata;
pub mod middleware;
pub(crate) mod service;

/// Derives a title from a name: `get_weather` becomes `Get Weather`.
pub(crate) fn title_of(name: &str) -> String {
    let words = name.split(['_', '-', '.']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    let title = words.collect::<Vec<_>>().join(" ");
    if title.is_empty() { name.to_owned() } else { title }
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn the_title_has_the_words_of_the_name_with_capital_letters() {
        assert_eq!(title_of("get_weather"), "Get Weather");
        assert_eq!(title_of("Calculator.Add"), "Calculator Add");
        assert_eq!(title_of("a--b_c.d"), "A B C D");
        assert_eq!(title_of("___"), "___");
    }
}
