//! Images: repository tags on content, and which containers hold on to them.

use serde_json::{Value, json};

use super::{Host, World, daemon, kept, missing};
use crate::{call::Call, identity, list, moment::rfc3339, reply::Reply};

/// One image.
#[derive(Debug, Clone)]
pub(crate) struct Image {
    pub id: String,
    pub tags: Vec<String>,
    pub created: i64,
    pub size: i64,
    pub update: bool,
}

impl Image {
    fn reference(&self) -> (&str, &str) {
        self.tags.first().and_then(|tag| tag.rsplit_once(':')).unwrap_or(("<none>", "<none>"))
    }

    fn digests(&self) -> Vec<String> {
        let (repository, _) = self.reference();
        let digest = identity::sha256(&format!("digest of {}", self.id));
        if self.tags.is_empty() { Vec::new() } else { vec![format!("{repository}@{digest}")] }
    }

    pub fn summary(&self, host: &Host, now: i64) -> Value {
        let (repository, tag) = self.reference();
        let users = host.users_of(self);
        json!({
            "id": self.id, "repoTags": self.tags, "repoDigests": self.digests(), "created": self.created,
            "size": self.size, "virtualSize": self.size, "labels": {}, "inUse": !users.is_empty(),
            "usedBy": users, "repo": repository, "tag": tag,
            "updateInfo": {
                "hasUpdate": self.update, "updateType": if self.update { "digest" } else { "none" },
                "currentVersion": tag, "latestVersion": tag, "currentDigest": identity::sha256(&self.id),
                "latestDigest": identity::sha256(&format!("{}{}", self.id, if self.update { " new" } else { "" })),
                "checkTime": rfc3339(now - 3_600), "responseTimeMs": 184, "error": ""
            }
        })
    }

    fn details(&self) -> Value {
        json!({
            "id": self.id, "repoTags": self.tags, "repoDigests": self.digests(), "comment": "",
            "created": rfc3339(self.created), "author": "",
            "config": { "env": ["PATH=/usr/local/bin:/usr/bin:/bin"], "cmd": ["/entrypoint.sh"], "workingDir": "/" },
            "architecture": "amd64", "os": "linux", "size": self.size,
            "graphDriver": { "name": "overlay2", "data": null },
            "rootFs": { "type": "layers", "layers": [identity::sha256(&format!("layer of {}", self.id))] },
            "metadata": { "lastTagTime": rfc3339(self.created) },
            "descriptor": {
                "mediaType": "application/vnd.oci.image.index.v1+json", "digest": self.id, "size": 1_862
            }
        })
    }
}

impl Host {
    /// The place of the image with this id (with or without `sha256:`, whole or its beginning) or tag.
    pub fn image(&self, wanted: &str) -> Option<usize> {
        let tagged = if wanted.contains(':') { wanted.to_owned() } else { format!("{wanted}:latest") };
        self.images.iter().position(|image| {
            let digits = image.id.trim_start_matches("sha256:");
            image.id == wanted
                || (wanted.len() >= 6 && digits.starts_with(wanted.trim_start_matches("sha256:")))
                || image.tags.iter().any(|tag| *tag == tagged || *tag == wanted)
        })
    }

    /// The id of the image with this reference, which is there afterwards.
    pub fn add_image(&mut self, reference: &str, now: i64) -> String {
        let reference = if reference.contains(':') { reference.to_owned() } else { format!("{reference}:latest") };
        if let Some(place) = self.image(&reference) {
            return self.images[place].id.clone();
        }
        let id = identity::sha256(&format!("image {reference}"));
        let size = 24_000_000 + i64::try_from(reference.len()).unwrap_or(0) * 3_100_000;
        self.images.push(Image { id: id.clone(), tags: vec![reference], created: now, size, update: false });
        id
    }

    fn users_of(&self, image: &Image) -> Vec<Value> {
        let users = self.containers.iter().filter(|container| container.image_id == image.id);
        users.map(|container| json!({ "type": "container", "name": container.name, "id": container.id })).collect()
    }

    fn used(&self, image: &Image) -> bool {
        self.containers.iter().any(|container| container.image_id == image.id)
    }

    /// How many images there are, and their size.
    pub fn image_counts(&self) -> Value {
        let used = self.images.iter().filter(|image| self.used(image)).count();
        let size: i64 = self.images.iter().map(|image| image.size).sum();
        json!({
            "imagesInuse": used, "imagesUnused": self.images.len() - used,
            "totalImages": self.images.len(), "totalImageSize": size
        })
    }

    /// Removes images that no container uses; with `dangling`, only those without a tag.
    pub fn prune_images(&mut self, dangling: bool) -> (Vec<String>, i64) {
        let host = self.clone();
        let (gone, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.images).into_iter().partition(|image| !host.used(image) && (!dangling || image.tags.is_empty()));
        self.images = left;
        let space = gone.iter().map(|image| image.size).sum();
        (gone.into_iter().map(|image| image.id).collect(), space)
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    let now = world.clock;
    match call.operation.id.as_str() {
        "list-images" => {
            let host = world.host(call);
            let rows: Vec<Value> = host
                .images
                .iter()
                .filter(|image| kept(call, "inUse", host.used(image)))
                .filter(|image| match call.query("updates") {
                    Some("has_update") => image.update,
                    Some("up_to_date") => !image.update,
                    _ => true,
                })
                .map(|image| image.summary(host, now))
                .collect();
            // `inUse` was applied above; the list must not read it as text again.
            Some(list::reply(call, rows, &[("maxImageUploadSize", json!(536_870_912))]))
        }
        "get-image-usage-counts" => Some(Reply::data(&world.host(call).image_counts())),
        "prune-images" => {
            let mode = call.text("mode").unwrap_or("");
            let dangling = call
                .query("dangling")
                .map_or_else(|| call.body.get("dangling").and_then(Value::as_bool).unwrap_or(mode != "all"), |text| text == "true");
            let (gone, space) = world.host(call).prune_images(dangling);
            world.note(call, "Images pruned", ("image", "", ""));
            Some(Reply::data(&json!({ "imagesDeleted": gone, "spaceReclaimed": space })))
        }
        "get-image" => {
            let wanted = call.segment("imageId");
            let host = world.host(call);
            match host.image(wanted) {
                Some(place) => Some(Reply::data(&host.images[place].details())),
                None => missing(call, "Image not found", &format!("No such image: {wanted}")),
            }
        }
        "remove-image" => remove(world, call),
        "tag-image" => tag(world, call),
        _ => None,
    }
}

fn remove(world: &mut World, call: &Call) -> Option<Reply> {
    let wanted = call.segment("imageId").to_owned();
    let host = world.host(call);
    let Some(place) = host.image(&wanted) else {
        return missing(call, "Failed to remove image", &format!("No such image: {wanted}"));
    };
    let image = &host.images[place];
    let user = host.containers.iter().find(|container| container.image_id == image.id);
    if let Some(user) = user.filter(|user| user.state.runs() || !call.flag("force")) {
        let text = format!(
            "conflict: unable to delete {} ({}) - image is being used by {} container {}",
            &image.id[7..19],
            if user.state.runs() { "cannot be forced" } else { "must be forced" },
            if user.state.runs() { "running" } else { "stopped" },
            &user.id[..12]
        );
        return Some(daemon(500, "Failed to remove image", &text));
    }
    let image = host.images.remove(place);
    let name = image.tags.first().cloned().unwrap_or_default();
    Some(world.done(call, "Image removed", ("image", &image.id, &name)))
}

fn tag(world: &mut World, call: &Call) -> Option<Reply> {
    let wanted = call.segment("name").to_owned();
    let Some(place) = world.host(call).image(&wanted) else {
        return missing(call, "Failed to tag image", &format!("No such image: {wanted}"));
    };
    let reference = format!("{}:{}", call.text("repository").unwrap_or_default(), call.text("tag").unwrap_or("latest"));
    let host = world.host(call);
    for image in &mut host.images {
        image.tags.retain(|known| *known != reference);
    }
    host.images[place].tags.push(reference.clone());
    let id = host.images[place].id.clone();
    Some(world.done(call, &format!("Image tagged {reference}"), ("image", &id, &reference)))
}
