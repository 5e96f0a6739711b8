//! Consent that counts for all pages of a result.

use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::CompiledQuestion;
use super::settings::AskSettings;
use super::state::{Digest, Ticket};
use crate::call::lock;

/// The character between the cursor and the ticket. The ticket is the signed consent.
pub(crate) const SEPARATOR: char = '.';

/// The user's consent to all pages of a result. The cursor of the next page contains the signed consent, so that the
/// user is not asked again.
pub(super) struct PagesConsent {
    /// The digest of what a ticket is for: the server, the tool, the caller, and the arguments without the cursor.
    call: Digest,
    /// The ticket that the client sent, if it sent one.
    given: Option<Ticket>,
    /// The ticket for the next page, once the user has agreed.
    next: Mutex<Option<Ticket>>,
}

impl PagesConsent {
    /// Returns `true` if exactly one of the questions asks for consent. If there are several, each page asks again,
    /// because a ticket covers only one question.
    pub(super) fn is_for(questions: &[CompiledQuestion]) -> bool {
        questions.iter().filter(|question| question.spec.is_consent).count() == 1
    }

    /// Reads the ticket that follows the cursor in the arguments, and hashes the arguments without the cursor.
    pub(super) fn of_call(
        settings: &AskSettings,
        [tool, cursor]: [&str; 2],
        principal: Option<Digest>,
        mut arguments: Value,
    ) -> Self {
        let cursor = arguments.as_object_mut().and_then(|arguments| arguments.remove(cursor));
        let ticket = cursor.as_ref().and_then(Value::as_str).and_then(|cursor| cursor.split_once(SEPARATOR));
        let given = ticket.and_then(|(_, ticket)| URL_SAFE_NO_PAD.decode(ticket).ok()?.try_into().ok());
        let call = Digest::of_value("pages", &json!([settings.audience, tool, principal, arguments]));
        Self { call, given, next: Mutex::default() }
    }

    /// Returns `true` if the user has agreed to this question on an earlier page. If so, the next page gets the same
    /// ticket.
    pub(super) fn is_given(&self, settings: &AskSettings, question: Digest) -> bool {
        let Some((keys, ticket)) = settings.keys.as_ref().zip(self.given) else { return false };
        let is_valid = keys.accept(&ticket, &self.consent_to(question));
        if is_valid {
            // A new ticket would outlive the consent, so pass on the old one.
            *lock(&self.next) = Some(ticket);
        }
        is_valid
    }

    /// Notes that the user has agreed to this question, and issues a ticket for the next page.
    pub(super) fn note(&self, settings: &AskSettings, question: Digest) {
        if let Some(keys) = &settings.keys {
            *lock(&self.next) = Some(keys.issue(settings.ttl, &self.consent_to(question)));
        }
    }

    /// Returns the text to append to the cursor of the next page: the separator and the ticket, if there is a ticket.
    pub(super) fn suffix(&self) -> Option<String> {
        let next = (*lock(&self.next))?;
        Some(format!("{SEPARATOR}{}", URL_SAFE_NO_PAD.encode(next)))
    }

    fn consent_to(&self, question: Digest) -> Digest {
        Digest::of_value("consent", &json!([self.call, question]))
    }
}
