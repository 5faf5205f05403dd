//! The audit at its boundary: documents, servers, and the completeness of what is measured.

mod completeness;
