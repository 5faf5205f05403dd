//! TLS by rustls with ring and Mozilla's roots compiled in. The platform's verifier would read a hundred files at a cost of
//! milliseconds; a company's own authority comes from `--ca-file` instead.

use crate::error::{Code, Failure};
use crate::upstream::Settings;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;

/// The TLS configuration for these settings.
pub fn config(settings: &Settings) -> Result<ClientConfig, Failure> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::new(Code::Internal, format!("TLS cannot be set up: {error}.")))?;
    let builder = if settings.insecure {
        builder.dangerous().with_custom_certificate_verifier(Arc::new(Unchecked(provider)))
    } else {
        builder.with_root_certificates(roots(settings.ca_file.as_deref())?)
    };
    match &settings.client_cert {
        None => Ok(builder.with_no_client_auth()),
        Some(file) => {
            let chain = certificates(file)?;
            let key = PrivateKeyDer::from_pem_file(file).map_err(|error| unreadable(file, "private key", &error.to_string()))?;
            builder.with_client_auth_cert(chain, key).map_err(|error| unreadable(file, "client certificate", &error.to_string()))
        }
    }
}

fn roots(file: Option<&Path>) -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(file) = file {
        for certificate in certificates(file)? {
            roots.add(certificate).map_err(|error| unreadable(file, "certificate authority", &error.to_string()))?;
        }
    }
    Ok(roots)
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    match found {
        Ok(found) if found.is_empty() => Err(unreadable(file, "certificate", "there is none in it")),
        Ok(found) => Ok(found),
        Err(error) => Err(unreadable(file, "certificate", &error.to_string())),
    }
}

fn unreadable(file: &Path, what: &str, why: &str) -> Failure {
    Failure::new(Code::Unreachable, format!("The {what} in {} cannot be used: {why}.", file.display()))
        .next("Give a PEM file that this process may read, then run `callslip doctor`.")
}

/// `--insecure`: takes any certificate, and says nothing about who is at the other end.
#[derive(Debug)]
struct Unchecked(Arc<CryptoProvider>);

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
