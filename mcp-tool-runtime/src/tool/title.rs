//! Derives the title of a tool that does not set one.

/// Derives a title from a name: `get_weather` becomes `Get Weather`.
pub(crate) fn title_of(name: &str) -> String {
    let mut title = String::with_capacity(name.len());
    for word in name.split(['_', '-', '.']).filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        if !title.is_empty() {
            title.push(' ');
        }
        title.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        title.push_str(letters.as_str());
    }
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
