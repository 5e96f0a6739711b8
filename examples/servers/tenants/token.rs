//! Checks an access token: its signature, who issued it, for whom, and until when.

use std::collections::HashMap;
use std::error::Error;

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use mcp_tool_runtime::HasScopes;
use serde::Deserialize;

/// The authorization server whose tokens are accepted.
pub(crate) const ISSUER: &str = "https://auth.example.com";

/// What a checked token says about its caller.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Claims {
    /// The user.
    pub(crate) sub: String,
    /// The tenant that the user belongs to. Nothing but the token decides it.
    pub(crate) tenant: String,
    /// The scopes, separated by blanks.
    #[serde(default)]
    scope: String,
}

impl HasScopes for Claims {
    /// `ledger` is the broad scope, which includes `ledger:read` and `ledger:write`.
    fn has_scope(&self, scope: &str) -> bool {
        self.scope
            .split(' ')
            .any(|own| own == scope || scope.strip_prefix(own).is_some_and(|rest| rest.starts_with(':')))
    }
}

/// The keys of the authorization server, by their ids.
pub(crate) struct Verifier {
    keys: HashMap<String, (DecodingKey, Validation)>,
}

impl Verifier {
    /// Reads a JSON Web Key Set. `resource` is the audience that every token must name.
    pub(crate) fn new(key_set: &[u8], resource: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let key_set: JwkSet = serde_json::from_slice(key_set)?;
        let mut keys = HashMap::new();
        for key in &key_set.keys {
            let (Some(id), Some(algorithm)) = (&key.common.key_id, &key.common.key_algorithm) else {
                return Err("every key needs `kid` and `alg`".into());
            };
            // The algorithm is that of the key. A token must not choose it.
            let mut validation = Validation::new(algorithm.to_string().parse()?);
            validation.set_audience(&[resource]);
            validation.set_issuer(&[ISSUER]);
            validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
            validation.validate_nbf = true;
            validation.leeway = 5;
            keys.insert(id.clone(), (DecodingKey::from_jwk(key)?, validation));
        }
        Ok(Self { keys })
    }

    pub(crate) fn verify(&self, token: &str) -> Result<Claims, Box<dyn Error + Send + Sync>> {
        let id = decode_header(token)?.kid.ok_or("the token names no key")?;
        let (key, validation) = self.keys.get(&id).ok_or("the token names an unknown key")?;
        Ok(decode::<Claims>(token, key, validation)?.claims)
    }
}
