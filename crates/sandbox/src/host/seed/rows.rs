//! What stands on the host at the start, as tables.

/// Name, image, project and service, ports, volume and its place, networks.
pub(super) type Row = (
    &'static str,
    &'static str,
    Option<(&'static str, &'static str)>,
    &'static [(u16, u16)],
    Option<(&'static str, &'static str)>,
    &'static [&'static str],
);

/// The containers.
pub(super) const CONTAINERS: &[Row] = &[
    ("web", "nginx:1.27", Some(("shop", "web")), &[(80, 8080)], None, &["shop_default", "edge"]),
    ("web-db", "postgres:16", Some(("shop", "db")), &[(5432, 0)], Some(("web-db-data", "/var/lib/postgresql/data")), &["shop_default"]),
    ("web-worker", "ghcr.io/example/shop-worker:2.4", Some(("shop", "worker")), &[], None, &["shop_default"]),
    (
        "grafana",
        "grafana/grafana:11.5.1",
        Some(("monitoring", "grafana")),
        &[(3000, 3000)],
        Some(("grafana-data", "/var/lib/grafana")),
        &["monitoring_default", "edge"],
    ),
    (
        "prometheus",
        "prom/prometheus:v3.2.0",
        Some(("monitoring", "prometheus")),
        &[(9090, 9090)],
        Some(("prometheus-data", "/prometheus")),
        &["monitoring_default"],
    ),
    ("loki", "grafana/loki:3.4.2", Some(("monitoring", "loki")), &[(3100, 0)], Some(("loki-data", "/loki")), &["monitoring_default"]),
    ("wiki", "requarks/wiki:2.5", Some(("wiki", "wiki")), &[(3000, 8081)], None, &["wiki_default", "edge"]),
    ("wiki-db", "postgres:16", Some(("wiki", "db")), &[(5432, 0)], Some(("wiki-db-data", "/var/lib/postgresql/data")), &["wiki_default"]),
    (
        "jellyfin",
        "jellyfin/jellyfin:10.10.6",
        Some(("media", "jellyfin")),
        &[(8096, 8096)],
        Some(("jellyfin-config", "/config")),
        &["media_default"],
    ),
    ("traefik", "traefik:3.3", None, &[(80, 80), (443, 443)], Some(("traefik-certs", "/certs")), &["edge"]),
    ("redis", "redis:7", None, &[(6379, 0)], Some(("redis-data", "/data")), &["bridge"]),
    ("backup", "postgres:16", None, &[], None, &["bridge"]),
    ("staging", "nginx:1.27", None, &[(80, 8088)], None, &["lab"]),
];

/// Reference (empty: no tag), size in MB, whether a newer one is published.
pub(super) const IMAGES: &[(&str, i64, bool)] = &[
    ("nginx:1.27", 192, true),
    ("nginx:1.25", 187, false),
    ("postgres:16", 432, true),
    ("ghcr.io/example/shop-worker:2.4", 311, false),
    ("grafana/grafana:11.5.1", 486, true),
    ("prom/prometheus:v3.2.0", 295, false),
    ("grafana/loki:3.4.2", 118, false),
    ("requarks/wiki:2.5", 604, false),
    ("jellyfin/jellyfin:10.10.6", 1_240, false),
    ("traefik:3.3", 224, false),
    ("redis:7", 117, false),
    ("", 188, false),
];

/// Name, size in MB.
pub(super) const VOLUMES: &[(&str, i64)] = &[
    ("web-db-data", 812),
    ("wiki-db-data", 96),
    ("grafana-data", 54),
    ("prometheus-data", 3_900),
    ("loki-data", 1_420),
    ("jellyfin-config", 730),
    ("traefik-certs", 1),
    ("redis-data", 12),
    ("old-backups", 5_200),
    ("tmp-import", 310),
];

/// Name and subnet.
pub(super) const NETWORKS: &[(&str, &str)] = &[
    ("bridge", "172.17.0.0/16"),
    ("host", ""),
    ("none", ""),
    ("shop_default", "172.20.0.0/16"),
    ("monitoring_default", "172.21.0.0/16"),
    ("wiki_default", "172.22.0.0/16"),
    ("media_default", "172.23.0.0/16"),
    ("edge", "172.24.0.0/16"),
    ("lab", "172.25.0.0/16"),
    ("unused", "172.26.0.0/16"),
];

/// Name, tag and its colour.
pub(super) const PROJECTS: &[(&str, &str, &str)] =
    &[("shop", "production", "green"), ("monitoring", "production", "green"), ("wiki", "internal", "blue"), ("media", "home", "purple")];

/// Kind, status, what it was about, message.
pub(super) const ACTIVITIES: &[(&str, &str, &str, &str)] = &[
    ("image_pull", "running", "grafana/grafana:11.6.0", "Downloading"),
    ("project_deploy", "success", "shop", "Project shop deployed"),
    ("container_restart", "success", "web", "Container web restarted"),
    ("image_pull", "failed", "ghcr.io/example/private:1", "denied"),
];
