//! TLS of the server itself: one certificate chain and its key, by rustls with ring, as everywhere else in the program.

use anyhow::{Context, Result};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// What accepts TLS with this certificate and key.
pub fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor> {
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .with_context(|| format!("--tls-cert {} cannot be read as PEM", certificate.display()))?;
    anyhow::ensure!(!chain.is_empty(), "--tls-cert {} holds no certificate", certificate.display());
    let private = PrivateKeyDer::from_pem_file(key).with_context(|| format!("--tls-key {} holds no private key in PEM", key.display()))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .context("--tls-cert and --tls-key do not belong together")?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
