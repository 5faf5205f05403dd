//! Connections that did not come about or broke: said in words, with what to look at.

use super::Run;
use super::exchange::Trouble;
use crate::error::{Code, Failure};
use crate::upstream::address::variable;
use callslip_catalog::model::Kind;
use std::error::Error;
use std::io;

/// The request could not be sent, or no head of an answer came.
pub(super) fn sending(run: &Run<'_>, error: &reqwest::Error) -> Trouble {
    if error.is_connect() || error.is_dns() || rustls_error(error).is_some() {
        // A certificate that is not trusted is not trusted a moment later either.
        return Trouble { failure: connecting(run, error), passing: rustls_error(error).is_none() };
    }
    if error.is_builder() {
        let message = format!("The request of `{}` could not be made: {}.", run.action().id, root(error));
        return Trouble { failure: Failure::new(Code::InvalidArguments, message), passing: false };
    }
    broken(run, "the connection broke before an answer came", error)
}

/// The head of an answer came, but not all of its body.
pub(super) fn reading(run: &Run<'_>, error: &reqwest::Error) -> Trouble {
    broken(run, "the answer broke off before its end", error)
}

fn broken(run: &Run<'_>, what: &str, error: &reqwest::Error) -> Trouble {
    let message = format!("`{}`: {what} ({}).", run.action().id, root(error));
    if run.action().kind == Kind::Read {
        let failure = Failure::new(Code::UpstreamError, message).next("Try again; `callslip doctor` checks the connection.");
        return Trouble { failure, passing: true };
    }
    let failure = Failure::new(Code::OutcomeUnknown, format!("{message} It is not known whether it was done; it was not sent again."))
        .next("Look at the result before you try again.");
    Trouble { failure: run.follow(failure), passing: false }
}

fn connecting(run: &Run<'_>, error: &reqwest::Error) -> Failure {
    let origin = &run.address.origin;
    let name = variable(run.api(), "URL");
    let doctor = "`callslip doctor` checks address, TLS and credential one by one.";
    if let Some(problem) = rustls_error(error) {
        return tls(origin, problem, &name).next(doctor);
    }
    let (what, step) = if error.is_dns() {
        ("its host name is not known here", format!("Check the host name in `{name}`."))
    } else if error.is_timeout() {
        ("no connection came about in time", format!("Check that the address in `{name}` can be reached from here."))
    } else if kind(error) == Some(io::ErrorKind::ConnectionRefused) {
        ("nothing listens there (connection refused)", format!("Check that the server runs and that `{name}` names its port."))
    } else {
        let message = format!("{origin} cannot be reached: {}.", root(error));
        return Failure::new(Code::Unreachable, message).next(format!("Check `{name}`.")).next(doctor);
    };
    Failure::new(Code::Unreachable, format!("{origin} cannot be reached: {what}.")).next(step).next(doctor)
}

fn tls(origin: &str, problem: &rustls::Error, variable: &str) -> Failure {
    use rustls::CertificateError as Bad;
    let (what, step) = match problem {
        rustls::Error::InvalidCertificate(Bad::UnknownIssuer) => (
            "its certificate is signed by an authority that is not trusted",
            "Give that authority's certificate with `--ca-file`.".to_owned(),
        ),
        rustls::Error::InvalidCertificate(Bad::Expired | Bad::ExpiredContext { .. }) => {
            ("its certificate has expired", "Renew the certificate of the server.".to_owned())
        }
        rustls::Error::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. }) => {
            ("its certificate is for another name", format!("Write the name of the certificate in `{variable}`."))
        }
        rustls::Error::InvalidMessage(_) => {
            ("it does not speak TLS on this port", format!("Try `http://` instead of `https://` in `{variable}`."))
        }
        rustls::Error::AlertReceived(_) => {
            ("it ended the TLS handshake", "It may ask for a client certificate: give one with `--client-cert`.".to_owned())
        }
        _ => ("the TLS handshake failed", format!("Check `{variable}`.")),
    };
    Failure::new(Code::Unreachable, format!("{origin} cannot be trusted: {what}.")).said(short(&problem.to_string())).next(step)
}

/// The innermost cause, short.
fn root(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    short(&cause.to_string())
}

fn short(text: &str) -> String {
    crate::untrusted::line(text, 160).trim_end_matches('.').to_owned()
}

fn rustls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    find(error, &|cause| cause.downcast_ref())
}

fn kind(error: &reqwest::Error) -> Option<io::ErrorKind> {
    // The innermost one says what happened; those around it say `Other`.
    find(error, &|cause| cause.downcast_ref::<io::Error>().filter(|error| error.get_ref().is_none())).map(io::Error::kind)
}

/// The first cause that `wanted` knows. An I/O error hides what it wraps from `source`, so it is opened by hand.
fn find<'a, T>(error: &'a (dyn Error + 'static), wanted: &dyn Fn(&'a (dyn Error + 'static)) -> Option<&'a T>) -> Option<&'a T> {
    if let Some(found) = wanted(error) {
        return Some(found);
    }
    let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    if let Some(found) = wrapped.and_then(|inner| find(inner, wanted)) {
        return Some(found);
    }
    error.source().and_then(|cause| find(cause, wanted))
}
