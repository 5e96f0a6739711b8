//! The key `icon(src = "…", mime_type = "…", sizes = "48x48 96x96", theme = "dark")`.

use proc_macro2::Ident;
use syn::LitStr;
use syn::parse::ParseStream;

use super::list::{self, KeyValue};
use super::value::Expected;
use crate::errors::{self, Errors};

const KEYS: &str = "src mime_type sizes theme";

pub(crate) struct Icon {
    pub(crate) src: LitStr,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) sizes: Vec<String>,
    pub(crate) theme: Option<LitStr>,
}

impl Icon {
    /// Parses the list. Returns `None` if the value of `src` is wrong, which has been reported.
    pub(super) fn parse(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<Self>> {
        let content = list::parenthesised(key, input, "src = \"https://…\"")?;
        let [mut src, mut mime_type, mut sizes, mut theme] = [const { None::<KeyValue<LitStr>> }; 4];
        let mut src_is_wrong = false;
        list::parse(&content, errors, |input, ident, errors| {
            let slot = match ident.to_string().as_str() {
                "src" => &mut src,
                "mime_type" => &mut mime_type,
                "sizes" => &mut sizes,
                "theme" => &mut theme,
                _ => return Err(list::unknown_key(&ident, KEYS, "`icon`")),
            };
            let expected = Expected { key: &ident, what: "a string", example: "\"…\"" };
            let text = expected.parse_string(input).inspect_err(|_| src_is_wrong |= ident == "src")?;
            list::set(slot, ident, text, errors);
            Ok(())
        })?;
        let [src, mime_type, sizes, theme] = [src, mime_type, sizes, theme].map(|given| given.map(|given| given.value));
        if let Some(theme) = theme.as_ref().filter(|theme| !["light", "dark"].contains(&theme.value().as_str())) {
            errors.report(
                theme,
                format!("`{}` is not an icon theme", theme.value()),
                "write `\"light\"` or `\"dark\"`",
            );
        }
        let size_list = sizes.as_ref().map(LitStr::value).unwrap_or_default();
        let size_list: Vec<_> = size_list.split_whitespace().map(str::to_owned).collect();
        for size in size_list.iter().filter(|size| !is_size(size)) {
            let help = "write sizes such as `\"48x48 96x96\"`, or `\"any\"`";
            errors.report(&sizes, format!("`{size}` is not an icon size"), help);
        }
        match src {
            Some(src) => Ok(Some(Self { src, mime_type, sizes: size_list, theme })),
            None if src_is_wrong => Ok(None),
            None => Err(errors::error(key.span(), "an icon needs a `src`", "write `icon(src = \"https://…\")`")),
        }
    }
}

fn is_size(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text == "any" || text.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}
