//! The limits of the model vendors, with one module for each vendor.

/// What the Claude API accepts in an exported tool, and in a tool with `strict: true`.
///
/// The limits of [`Client::ClaudeApi`](crate::lint::Client::ClaudeApi) hold as well.
pub(crate) mod anthropic {
    use super::super::{Keywords, Limit, Requirement, Source};

    const NOT_STRICT: &str = "send the tool without `strict`, or change its arguments";
    const SUBSET: Source = (
        "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations",
        "2026-11-22",
    );
    const COMPLEXITY: Source = (
        "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits",
        "2026-11-22",
    );
    pub(crate) const DEFINE_TOOLS: Source =
        ("https://platform.claude.com/docs/agents-and-tools/tool-use/define-tools", "2026-11-20");

    /// The values of `format` that strict tools can have.
    const FORMATS: &[&str] =
        &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

    /// The keywords that strict tools must not have.
    const KEYWORDS: Keywords = &[
        &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
        &["maxItems", "uniqueItems", "prefixItems", "contains", "unevaluatedItems"],
        &["minProperties", "maxProperties", "patternProperties", "propertyNames", "unevaluatedProperties"],
        &["dependentRequired", "dependentSchemas", "oneOf", "allOf", "not", "if", "then", "else"],
    ];

    /// Further limits that an exported tool meets, strict or not.
    pub(crate) const EXPORTED: &[Limit] =
        &[Limit::required("https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools")];

    /// The limits of one strict tool.
    pub(crate) const STRICT: &[Limit] = &strict(SUBSET);

    /// Returns the limits of one strict tool. `source` is the page that lists them.
    pub(crate) const fn strict(source: Source) -> [Limit; 9] {
        [
            Limit::new("strict-closed", Requirement::ClosedObjects, NOT_STRICT, source),
            Limit::new("strict-keyword", Requirement::WithoutKeywords(KEYWORDS), NOT_STRICT, source),
            Limit::new("strict-format", Requirement::Formats(FORMATS), NOT_STRICT, source),
            Limit::new("strict-untyped", Requirement::Typed, NOT_STRICT, source),
            Limit::new("strict-reference", Requirement::LoneReferences, NOT_STRICT, source),
            Limit::new("strict-recursion", Requirement::NoRecursion, NOT_STRICT, source),
            Limit::new("strict-keyword", Requirement::MinItems(1), NOT_STRICT, source),
            Limit::new("strict-enum", Requirement::ScalarEnums, NOT_STRICT, source),
            Limit::new("strict-pattern", Requirement::Patterns(100), NOT_STRICT, source),
        ]
    }

    /// The limit for all strict tools in a request together.
    pub(crate) const STRICT_REQUEST: &Limit = &Limit::new(
        "strict-request",
        Requirement::StrictRequest { tools: 20, optional: 24, unions: 16 },
        "export the tools that need `strict` alone, or make optional arguments required",
        COMPLEXITY,
    );
}

/// What the Converse API of Amazon Bedrock accepts.
///
/// For a tool with `strict: true`, the guide of Bedrock lists the same subset as the Claude API. The service does not
/// state how many strict tools a request can have. The models that support `strict` include Claude, so the limits of
/// the Claude API hold.
pub(crate) mod bedrock {
    use super::super::{Alphabet, Limit, RENAME, Requirement, Source};
    use super::anthropic;

    /// The limits of every tool.
    pub(crate) const LIMITS: &[Limit] = &[
        Limit::new("tool-name", Requirement::Name(Alphabet::new("_-", 64)), RENAME, SPECIFICATION),
        Limit::required("https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolInputSchema.html"),
    ];

    const SPECIFICATION: Source =
        ("https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html", "2026-11-22");

    /// The limits of one strict tool.
    pub(crate) const STRICT: &[Limit] = &anthropic::strict((
        "https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html",
        "2026-11-22",
    ));
}

/// The subset of JSON Schema that the Gemini API reads.
///
/// The package of the vendor lists it as the fields of the class `JSONSchema`. The guide on structured output adds
/// `prefixItems` and `oneOf`. Neither of the two has `not`, `if`, `allOf`, `patternProperties` or any of the other
/// keywords that an export moves into descriptions.
pub(crate) mod gemini {
    use super::super::{Alphabet, Keywords, Limit, RENAME, Requirement, Source};

    /// The limits of [`Client::Gemini`](crate::lint::Client::Gemini).
    pub(crate) const LIMITS: &[Limit] = &[
        Limit::new(
            "tool-name",
            Requirement::Name(Alphabet::new("_-.", 64).starting_with_letter()),
            RENAME,
            DECLARATION,
        ),
        Limit::new(
            "gemini-keyword",
            Requirement::WithoutKeywords(&[&["const"]]),
            "write an `enum` of one value, or use an enum of unit variants instead of a tagged one",
            SOURCE,
        ),
        Limit::new(
            "gemini-keyword",
            Requirement::WithoutKeywords(&[&["propertyNames", "exclusiveMinimum"]]),
            "use a list of pairs instead of a map with such keys, and `range` instead of an exclusive bound",
            SOURCE,
        ),
        Limit::new("gemini-type-list", Requirement::SingleTypes, "accept one type, or write `anyOf`", ZED_44875),
    ];

    const DECLARATION: Source = ("https://ai.google.dev/api/caching#FunctionDeclaration", "2026-11-20");
    const SOURCE: Source = ("https://github.com/googleapis/python-genai/blob/main/google/genai/types.py", "2026-11-23");
    const ZED_44875: Source = ("https://github.com/zed-industries/zed/issues/44875", "2026-02-14");

    /// Further limits that an exported tool meets.
    pub(crate) const EXPORTED: &[Limit] =
        &[SUBSET, Limit::required("https://ai.google.dev/gemini-api/docs/structured-output#json-schema-support")];

    pub(crate) const SUBSET: Limit = Limit::new(
        "gemini-keyword",
        Requirement::OnlyKeywords(KEYWORDS),
        "write the schema with fewer keywords",
        SOURCE,
    );

    const KEYWORDS: Keywords = &[
        &["type", "format", "description", "default", "enum"],
        &["minimum", "maximum", "minLength", "maxLength", "pattern"],
        &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
        &["properties", "additionalProperties", "required", "minProperties", "maxProperties"],
        &["anyOf", "oneOf", "$ref", "$defs", "$id", "$anchor"],
    ];

    /// Returns `true` if the API reads the keyword.
    pub(crate) fn reads(keyword: &str) -> bool {
        KEYWORDS.iter().any(|group| group.contains(&keyword))
    }
}

/// The limits of the `OpenAI` API. Functions with `strict: true` have many more limits.
pub(crate) mod openai {
    use super::super::{Alphabet, ELEMENTS, FEWER, Keywords, Limit, ONE_ARGUMENT, RENAME, Requirement, Source};

    const NOT_STRICT: &str = "do not set `strict` for this tool, or write its schema with the key `input_schema`";
    const NO_SET: &str = "use a list instead of a set, or do not set `strict` for this tool";
    const FEWER_VALUES: &str = "use a string, and list the values with another tool";
    /// The source of the limit on the number of tools. Later versions of the linked file do not name the limit, but the
    /// API still had it on 2025-10-09: <https://github.com/HolmesGPT/holmesgpt/issues/1050>.
    const TOOLS: Source = (
        "https://github.com/openai/openai-python/blob/v1.98.0/src/openai/types/chat/completion_create_params.py",
        "2025-07-30",
    );
    /// The guide that lists the supported types and keywords.
    const GUIDE: Source =
        ("https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas", "2026-11-22");

    pub(crate) const LIMITS: &[Limit] = &[
        Limit::new("tool-count", Requirement::Tools(128), FEWER, TOOLS),
        Limit::new("tool-name", Requirement::Name(Alphabet::new("_-", 64)), RENAME, DEFINITION),
        Limit::new("root-union", Requirement::RootWithout(NOT_IN_ROOT), ONE_ARGUMENT, GUIDE),
        Limit::new("array-items", Requirement::Items, ELEMENTS, GUIDE),
    ];

    const DEFINITION: Source = (
        "https://github.com/openai/openai-python/blob/main/src/openai/types/shared_params/function_definition.py",
        "2026-11-23",
    );
    const NOT_IN_ROOT: &[&str] = &["oneOf", "anyOf", "allOf", "enum", "const", "not"];

    /// Further limits of functions with `strict: true`.
    pub(crate) const STRICT: &[Limit] = &[
        Limit::new("strict-optional", Requirement::AllPropertiesRequired, NOT_STRICT, GUIDE),
        Limit::new("strict-closed", Requirement::ClosedObjects, NOT_STRICT, GUIDE),
        Limit::new("strict-keyword", Requirement::WithoutKeywords(KEYWORDS), NOT_STRICT, GUIDE),
        Limit::new("strict-keyword", Requirement::WithoutKeywords(&[&["oneOf"]]), NOT_STRICT, STRICT_SCHEMA),
        Limit::new("strict-keyword", Requirement::WithoutKeywords(&[&["uniqueItems"]]), NO_SET, GUIDE),
        Limit::new("strict-format", Requirement::Formats(FORMATS), NOT_STRICT, GUIDE),
        Limit::new("strict-size", Requirement::Nesting(10), "nest the arguments less deeply", GUIDE),
        Limit::new("strict-size", Requirement::Properties(5000), "use fewer arguments", GUIDE),
        Limit::new("strict-size", Requirement::EnumValues(1000), FEWER_VALUES, GUIDE),
        Limit::new("strict-size", Requirement::LongEnum { values: 250, characters: 15_000 }, FEWER_VALUES, GUIDE),
        Limit::new("strict-size", Requirement::Characters(120_000), "use fewer or shorter names and values", GUIDE),
    ];

    const STRICT_SCHEMA: Source =
        ("https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py", "2026-11-20");

    /// The keywords that strict functions must not have.
    const KEYWORDS: Keywords = &[&["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else"]];

    /// The values of `format` that strict functions can have.
    const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

    /// More keywords that strict functions must not have, but that agents remove before they send a function.
    const REMOVED_KEYWORDS: Keywords = &[
        &["default", "prefixItems", "patternProperties", "propertyNames", "minProperties", "maxProperties"],
        &["unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains"],
    ];

    /// Further limits of strict functions. An exported schema meets these limits, but `lint` does not report
    /// violations, because agents that send strict functions rewrite a server's schemas as an export does.
    pub(crate) const EXPORTED_STRICT: &[Limit] = &[
        Limit::required(GUIDE.0),
        Limit::new("strict-keyword", Requirement::WithoutKeywords(REMOVED_KEYWORDS), NOT_STRICT, GUIDE),
        Limit::new("strict-untyped", Requirement::Typed, NOT_STRICT, GUIDE),
        Limit::new("strict-reference", Requirement::LoneReferences, NOT_STRICT, PYDANTIC),
    ];

    const PYDANTIC: Source = ("https://github.com/openai/openai-python/blob/main/src/openai/lib/_pydantic.py", GUIDE.1);

    /// Further limits that an exported function without `strict` meets.
    pub(crate) const EXPORTED: &[Limit] =
        &[Limit::required("https://developers.openai.com/api/docs/guides/function-calling#defining-functions")];
}
