//! The rules that decide which callers see a tool.

use std::any::type_name;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::visibility::{HasScopes, ToolInfo, Visibility, VisibilityRule};
use crate::call::{Labels, catch_panic::catch};
use crate::{Extensions, mcp};

type Decide = dyn Fn(&ToolInfo, &Extensions) -> Visibility + Send + Sync;

/// A rule about tools and callers. A caller sees a tool if no rule hides it, and can call it if all rules show it.
pub(crate) struct Rule {
    /// The method that added the rule.
    method: &'static str,
    /// The place in the server's code that added the rule.
    at: &'static Location<'static>,
    about: Option<About>,
    decide: Box<Decide>,
}

/// What a rule reads from a request: the type of a value attached to it, with functions that look at this value.
struct About {
    type_name: &'static str,
    is_attached: fn(&Extensions) -> bool,
    /// For the rule of [`DispatcherBuilder::visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes): a
    /// function that returns which scopes of a tool the caller lacks.
    lacks: Option<fn(&ToolInfo, &Extensions) -> Vec<String>>,
}

impl About {
    fn new<C: Send + Sync + 'static>() -> Self {
        Self { type_name: type_name::<C>(), is_attached: |extensions| extensions.get::<C>().is_some(), lacks: None }
    }
}

impl Rule {
    #[track_caller]
    fn of(
        method: &'static str,
        about: Option<About>,
        decide: impl Fn(&ToolInfo, &Extensions) -> Visibility + Send + Sync + 'static,
    ) -> Self {
        Self { method, at: Location::caller(), about, decide: Box::new(decide) }
    }

    #[track_caller]
    pub(crate) fn new(
        method: &'static str,
        rule: impl Fn(&ToolInfo, &Extensions) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::of(method, None, move |tool, extensions| rule(tool, extensions).into())
    }

    /// Creates a rule of `visible_to`. The rule reads the value of the type `C` that is attached to the request.
    #[track_caller]
    pub(crate) fn about<C: Send + Sync + 'static>(rule: impl VisibilityRule<C>) -> Self {
        let about = Some(About::new::<C>());
        Self::of("visible_to", about, move |tool, extensions| rule(tool, extensions.get()).into())
    }

    /// Creates the rule that hides a tool from callers who lack one of its scopes.
    #[track_caller]
    pub(crate) fn scopes_of<C: HasScopes + Send + Sync + 'static>() -> Self {
        let has_all = |tool: &ToolInfo, extensions: &Extensions| {
            let has_all = |caller: &C| tool.scopes.iter().all(|scope| caller.has_scope(scope));
            (tool.scopes.is_empty() || extensions.get::<C>().is_some_and(has_all)).into()
        };
        let lacks = |tool: &ToolInfo, extensions: &Extensions| {
            let has = |scope: &&String| extensions.get::<C>().is_some_and(|caller| caller.has_scope(scope));
            tool.scopes.iter().filter(|scope| !has(scope)).cloned().collect()
        };
        Self::of("visible_by_scopes", Some(About { lacks: Some(lacks), ..About::new::<C>() }), has_all)
    }

    /// Returns the types of the attached values that the rule reads. A closure that gets all values does not declare
    /// what it reads, so it is called without any values, and the types that it asks for are recorded.
    fn reads(&self, tool: &ToolInfo) -> Vec<&'static str> {
        match &self.about {
            Some(about) => vec![about.type_name],
            None => Extensions::read_by(|extensions| _ = self.decide(tool, extensions)),
        }
    }

    /// Returns `true` if `visible_by_scopes` added the rule.
    fn is_about_scopes(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.lacks.is_some())
    }

    /// Returns the decision, or `None` if the rule panics.
    fn decide(&self, tool: &ToolInfo, extensions: &Extensions) -> Option<Visibility> {
        catch(|| (self.decide)(tool, extensions))
    }

    /// Returns why the rule hides a tool. `decided` is `None` if the rule panics.
    fn reason(&self, decided: Option<&Visibility>, tool: &ToolInfo, extensions: &Extensions) -> String {
        let lacks = self.about.as_ref().and_then(|about| about.lacks).filter(|_| decided.is_some());
        let lacking = lacks.and_then(|lacks| catch(|| lacks(tool, extensions))).unwrap_or_default();
        let mut reason = match (decided, lacking.as_slice()) {
            (None, _) => format!("{self} panics"),
            (_, []) => format!("{self} says no"),
            (_, [scope]) => format!("the caller lacks the scope `{scope}`"),
            (_, scopes) => format!("the caller lacks the scopes `{}`", scopes.join("`, `")),
        };
        if let Some(about) = self.about.as_ref().filter(|about| !(about.is_attached)(extensions)) {
            reason.extend(["; the request has no `", &short_name(about.type_name), "`"]);
        }
        reason
    }
}

/// Writes the rule and its place in the source code.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rule `{}", self.method)?;
        if let Some(about) = &self.about {
            write!(f, "::<{}>", short_name(about.type_name))?;
        }
        write!(f, "` at {}:{}", self.at.file(), self.at.line())
    }
}

debug_by_display!(Rule);

/// Removes the module paths from the name of a type, including those in its type parameters.
fn short_name(type_name: &str) -> String {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let pieces = type_name.split_inclusive(|c| !is_path(c));
    pieces.map(|piece| piece.rsplit_once("::").map_or(piece, |(_, name)| name)).collect()
}

/// A rule of a tool, and the tool's name as the rule sees it.
#[derive(Debug, Clone)]
pub(crate) struct NamedRule {
    pub(crate) rule: Arc<Rule>,
    /// The name of the tool just before its builder was first merged into another one, not counting merges before the
    /// rule was added. `None` if the builder has not been merged since.
    pub(crate) name: Option<Arc<str>>,
}

impl NamedRule {
    /// Creates a rule that sees the current name of the tool.
    pub(crate) fn new(rule: &Arc<Rule>) -> Self {
        Self { rule: Arc::clone(rule), name: None }
    }
}

/// A tool of a dispatcher, with its rules.
pub(crate) struct ListedTool {
    pub(crate) info: Arc<ToolInfo>,
    /// The rules, each with the tool as that rule sees it.
    rules: Box<[(Arc<Rule>, Arc<ToolInfo>)]>,
}

impl ListedTool {
    pub(crate) fn new(
        tool: &mcp::Tool,
        former_names: &[String],
        [tags, scopes]: [&Labels; 2],
        result_type: &'static str,
        rules: &[NamedRule],
    ) -> Self {
        let info = Arc::new(ToolInfo {
            name: tool.name.as_str().into(),
            former_names: former_names.into(),
            tags: tags.clone(),
            scopes: scopes.clone(),
            annotations: tool.annotations.clone().unwrap_or_default(),
            result_type,
        });
        let known = |NamedRule { rule, name }: &NamedRule| {
            let named = |name: &Arc<str>| Arc::new(ToolInfo { name: Arc::clone(name), ..(*info).clone() });
            (Arc::clone(rule), name.as_ref().map_or_else(|| Arc::clone(&info), named))
        };
        Self { rules: rules.iter().map(known).collect(), info }
    }

    /// Returns the same tool. If a rule is given, it comes after the tool's own rules.
    pub(crate) fn with_rule(&self, rule: Option<&Arc<Rule>>) -> Self {
        let own = self.rules.iter().cloned();
        let more = rule.map(|rule| (Arc::clone(rule), Arc::clone(&self.info)));
        Self { rules: own.chain(more).collect(), info: Arc::clone(&self.info) }
    }

    pub(crate) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns the rules, each with the types of the attached values that it reads.
    pub(crate) fn rules_with_reads(&self) -> impl Iterator<Item = (&Rule, Vec<&'static str>)> {
        self.rules.iter().map(|(rule, info)| (&**rule, rule.reads(info)))
    }

    pub(crate) fn has_rule(&self, rule: &Rule) -> bool {
        self.rules.iter().any(|(own, _)| std::ptr::eq(Arc::as_ptr(own), rule))
    }

    /// Returns the decision of the rules for a caller with these extensions, and whether the tool is hidden only
    /// because the caller lacks scopes. Each rule is asked at most once.
    #[inline]
    pub(crate) fn verdict(&self, extensions: &Extensions) -> (Visibility, bool) {
        if self.rules.is_empty() { (Visibility::Shown, false) } else { self.ask(extensions) }
    }

    fn ask(&self, extensions: &Extensions) -> (Visibility, bool) {
        let (mut visibility, mut lacks_scopes) = (Visibility::Shown, false);
        for (rule, info) in &self.rules {
            match rule.decide(info, extensions).unwrap_or(Visibility::Hidden) {
                Visibility::Hidden if rule.is_about_scopes() => lacks_scopes = true,
                Visibility::Hidden => return (Visibility::Hidden, false),
                decided if visibility == Visibility::Shown => visibility = decided,
                _ => {}
            }
        }
        if lacks_scopes { (Visibility::Hidden, true) } else { (visibility, false) }
    }

    /// Returns `true` if a caller with these extensions sees the tool. `ignore_scopes` skips the rules of
    /// `visible_by_scopes`.
    pub(crate) fn is_shown_to(&self, extensions: &Extensions, ignore_scopes: bool) -> bool {
        let shows = |rule: &Rule, info| !matches!(rule.decide(info, extensions), None | Some(Visibility::Hidden));
        self.rules.iter().all(|(rule, info)| ignore_scopes && rule.is_about_scopes() || shows(rule, info))
    }

    /// Explains whether a caller with these extensions sees the tool and can call it, and which rule decides this.
    pub(crate) fn explain(&self, extensions: &Extensions) -> String {
        let mut refusal = None;
        for (rule, info) in &self.rules {
            let decided = rule.decide(info, extensions);
            if matches!(decided, None | Some(Visibility::Hidden)) {
                return format!("hidden: {}", rule.reason(decided.as_ref(), info, extensions));
            }
            let text = decided.as_ref().and_then(Visibility::refusal);
            refusal = refusal.or_else(|| text.map(|text| format!("refused: {rule} says `{text}`")));
        }
        refusal.unwrap_or_else(|| "shown".to_owned())
    }
}

/// Returns the mistakes in the scopes of a tool with these rules. `are_read` is `true` if the author has said that a
/// rule of `visible` checks scopes.
pub(crate) fn scope_errors(scopes: &Labels, rules: &[NamedRule], are_read: bool) -> Vec<String> {
    let mut errors: Vec<_> = scopes.iter().filter_map(|scope| scope_error(scope)).collect();
    let reads_scopes = |rule: &NamedRule| are_read || rule.rule.is_about_scopes();
    if let Some(scope) = scopes.first().filter(|_| !rules.iter().any(reads_scopes)) {
        errors.push(format!(
            "it has the scope `{scope}`, and no rule checks scopes: add `.visible_by_scopes::<…>()` to the builder, or \
             `.scopes_are_read()` if a rule of `.visible(…)` checks them"
        ));
    }
    errors
}

/// Returns what is wrong with a scope, or `None` if it is valid. OAuth allows visible ASCII characters except `"` and
/// `\`, because a list of scopes is written in quotes, with spaces between the scopes.
pub(crate) fn scope_error(scope: &str) -> Option<String> {
    let is_valid = !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && !br#""\"#.contains(&byte));
    (!is_valid).then(|| {
        format!("the scope `{scope}` is not valid: a scope has visible ASCII characters other than `\"` and `\\`, and no blanks")
    })
}
