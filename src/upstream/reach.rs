//! Whether anything answers where the API should be: any answer will do, as it is not the API that is asked for.

use super::{Upstream, address};
use crate::error::{Code, Failure};
use callslip_catalog::model::Api;
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(3);

impl Upstream {
    /// Asks for the root of the server, without a credential.
    pub async fn reach(&self, api: &Api<'_>) -> Result<(), Failure> {
        let address = address::Address::parse(api, self.settings.url.as_deref())?;
        let client = self.clients.requests(&self.settings)?;
        let silent = || Failure::new(Code::Unreachable, "The upstream does not answer.").next("Check that it runs.");
        let sent = client.get(address.join("/")?).send();
        tokio::time::timeout(PATIENCE, sent).await.map_err(|_| silent())?.map_err(|_| silent())?;
        Ok(())
    }
}
