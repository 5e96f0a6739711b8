//! The keys that check signatures. Each key has one algorithm.

use std::sync::Arc;

use jsonwebtoken::crypto::JwtVerifier;
use jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER;
use jsonwebtoken::jwk::{Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use serde::Deserialize;
use serde_json::Value;
use spki::der::asn1::{ObjectIdentifier, UintRef};
use spki::der::{Decode as _, DecodePem as _, Reader as _, SliceReader};

use super::BearerError;

/// The sizes of RSA keys that are accepted, in bytes. Smaller keys are not safe, and the crate `rsa` refuses larger
/// ones.
const RSA_BYTES: std::ops::RangeInclusive<usize> = 256..=512;
/// The minimum length of a secret: RFC 7518 requires a secret to be at least as long as the hash.
const MIN_SECRET_BYTES: usize = 32;

/// The keys that check the signatures of JSON Web Tokens.
///
/// Each key has one algorithm, which the token cannot choose: `ES256`, `ES384`, `EdDSA` with Ed25519, `RS256` to
/// `RS512`, `PS256` to `PS512`, and `HS256` for a secret. Cloning is cheap. The `Debug` output contains no keys.
///
/// ```
/// use mcp_tool_runtime::http::Keys;
///
/// // The key set of an authorization server, which it publishes at its `jwks_uri`.
/// let keys = Keys::jwks(r#"{"keys": [
///     {"kty": "OKP", "crv": "Ed25519", "kid": "1", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
/// ]}"#)?;
/// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
/// ```
#[derive(Clone)]
pub struct Keys(Arc<[Key]>);

pub(super) struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    material: DecodingKey,
}

impl Keys {
    /// Reads a JSON Web Key Set: `{"keys": […]}`.
    ///
    /// A token names its key by the key's `kid`. A key without `kid` is tried for every token. The algorithm of a key
    /// is its `alg`. Without `alg`, it is the algorithm of the key's curve, or `RS256` for an RSA key. Keys for
    /// encryption, keys of unknown types and secrets are ignored: a secret in a key set is probably public.
    ///
    /// # Errors
    ///
    /// If the text is not a key set, or has no key that can be used.
    pub fn jwks(document: impl AsRef<[u8]>) -> Result<Self, BearerError> {
        #[derive(Deserialize)]
        struct KeySet {
            keys: Vec<Value>,
        }
        // Do not pass on the error of `serde_json`, because its text could quote the document.
        let document = serde_json::from_slice::<KeySet>(document.as_ref());
        let document =
            document.map_err(|_| BearerError::new("the key set is not a JSON object with an array `keys`"))?;
        let keys = document.keys.iter().filter_map(Key::from_jwk);
        let keys: Arc<[Key]> = keys.collect();
        if keys.is_empty() {
            return Err(BearerError::new(
                "the key set has no key that can check signatures: expected keys for Ed25519, P-256, P-384 or RSA of 2048 to 4096 bits",
            ));
        }
        Ok(Self(keys))
    }

    /// Reads a public key in the PEM format: a text that starts with `-----BEGIN PUBLIC KEY-----`. The key is tried for
    /// every token with the key's algorithm, whatever `kid` the token names. An RSA key checks `RS256`.
    ///
    /// ```
    /// use mcp_tool_runtime::http::Keys;
    ///
    /// const PUBLIC_KEY: &str = "\
    /// -----BEGIN PUBLIC KEY-----
    /// MCowBQYDK2VwAyEAVtxZ4U4dKFxx3JFhrpPFEAQUriJWfQQMV7axmmSli6w=
    /// -----END PUBLIC KEY-----";
    ///
    /// let keys = Keys::pem(PUBLIC_KEY)?;
    /// # Ok::<(), mcp_tool_runtime::http::BearerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not such a key, or the key is not for Ed25519, P-256, P-384 or RSA of 2048 to 4096 bits.
    pub fn pem(text: impl AsRef<[u8]>) -> Result<Self, BearerError> {
        let error = || {
            BearerError::new(
                "the key is not a public key in PEM (`-----BEGIN PUBLIC KEY-----`) for Ed25519, P-256, P-384 or RSA of 2048 to 4096 bits",
            )
        };
        Key::from_pem(text.as_ref()).map(|key| Self([key].into())).ok_or_else(error)
    }

    /// Uses a secret that the authorization server shares with this server. It is tried for every token with `HS256`,
    /// whatever `kid` the token names.
    ///
    /// Whoever has the secret can make tokens, so prefer a public key.
    ///
    /// ```
    /// # use mcp_tool_runtime::http::Keys;
    /// # fn read() -> Result<(), Box<dyn std::error::Error>> {
    /// let keys = Keys::secret(std::fs::read("/run/secrets/token-key")?)?;
    /// # Ok(())
    /// # }
    /// assert!(Keys::secret("too short").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If the secret has fewer than 32 bytes.
    pub fn secret(secret: impl AsRef<[u8]>) -> Result<Self, BearerError> {
        let secret = secret.as_ref();
        if secret.len() < MIN_SECRET_BYTES {
            return Err(BearerError::new("the secret is too short: expected at least 32 bytes"));
        }
        let key = Key { id: None, algorithm: Algorithm::HS256, material: DecodingKey::from_secret(secret) };
        Ok(Self([key].into()))
    }

    /// Returns `true` if the signature is valid for one of the keys that the token may use.
    pub(super) fn verify(&self, id: Option<&str>, algorithm: &str, message: &[u8], signature: &Vec<u8>) -> bool {
        let Some(algorithm) = self::algorithm(algorithm) else { return false };
        let may_use = |key: &&Key| key.algorithm == algorithm && (key.id.is_none() || key.id.as_deref() == id);
        let has_signed = |verifier: Box<dyn JwtVerifier>| verifier.verify(message, signature).is_ok();
        self.0.iter().filter(may_use).any(|key| key.verifier().is_some_and(has_signed))
    }
}

/// Returns the algorithm with this name. `Ed25519` is the name in RFC 9864 for `EdDSA` with the curve Ed25519, and no
/// other curve is accepted here for `EdDSA`.
fn algorithm(name: &str) -> Option<Algorithm> {
    if name == "Ed25519" { Some(Algorithm::EdDSA) } else { name.parse().ok() }
}

impl Key {
    /// Checks the key and determines its algorithm: the named algorithm, or else the usual algorithm for this kind of
    /// key.
    fn new(id: Option<String>, named: Option<&str>, key: DecodingKey) -> Option<Self> {
        let by_kind = match key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, .. } if RSA_BYTES.contains(&n.len()) => Algorithm::RS256,
            DecodingKeyKind::SecretOrDer(bytes) => match (key.family(), bytes.len()) {
                (jsonwebtoken::AlgorithmFamily::Ed, 32) => Algorithm::EdDSA,
                (jsonwebtoken::AlgorithmFamily::Ec, 65) => Algorithm::ES256,
                (jsonwebtoken::AlgorithmFamily::Ec, 97) => Algorithm::ES384,
                _ => return None,
            },
            DecodingKeyKind::RsaModulusExponent { .. } => return None,
        };
        let algorithm = named.map_or(Some(by_kind), algorithm)?;
        // Only RSA keys can be used with several algorithms.
        let is_possible = algorithm == by_kind || by_kind == Algorithm::RS256 && algorithm.family() == by_kind.family();
        let key = Self { id, algorithm, material: key };
        (is_possible && key.verifier().is_some()).then_some(key)
    }

    /// Reads a key of a key set. Returns `None` if the key cannot be used to check signatures.
    fn from_jwk(json: &Value) -> Option<Self> {
        let jwk = Jwk::deserialize(json).ok()?;
        let is_for_signatures = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature))
            && jwk.common.key_operations.as_ref().is_none_or(|all| all.contains(&KeyOperations::Verify));
        let key = DecodingKey::from_jwk(&jwk).ok().filter(|_| is_for_signatures)?;
        // jsonwebtoken does not know some algorithm names, such as `Ed25519`, so read `alg` from the JSON.
        Self::new(jwk.common.key_id, json["alg"].as_str(), key)
    }

    fn from_pem(text: &[u8]) -> Option<Self> {
        const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
        const ELLIPTIC_CURVE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
        const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
        let info = spki::SubjectPublicKeyInfoOwned::from_pem(text.trim_ascii()).ok()?;
        let bytes = info.subject_public_key.as_bytes()?;
        let key = match info.algorithm.oid {
            RSA => {
                let key = SliceReader::new(bytes).ok()?.sequence(|reader| {
                    let (n, e) = (UintRef::decode(reader)?, UintRef::decode(reader)?);
                    Ok::<_, spki::der::Error>(DecodingKey::from_rsa_raw_components(n.as_bytes(), e.as_bytes()))
                });
                key.ok()?
            }
            ELLIPTIC_CURVE => DecodingKey::from_ec_der(bytes),
            ED25519 => DecodingKey::from_ed_der(bytes),
            _ => return None,
        };
        Self::new(None, None, key)
    }

    /// Returns a verifier for signatures of this key. The verifier always uses `DEFAULT_PROVIDER`, even if the process
    /// or another crate has chosen another provider for jsonwebtoken.
    fn verifier(&self) -> Option<Box<dyn JwtVerifier>> {
        (DEFAULT_PROVIDER.verifier_factory)(&self.algorithm, &self.material).ok()
    }
}

debug_struct!(Keys, keys => len: keys.0.len());
