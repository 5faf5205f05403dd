//! `find` in process: one query after the other over the compiled-in catalog, over 10,000 tools and over 100,000.
//! Run by `cargo bench --manifest-path benches/peers/Cargo.toml`.

use callslip_catalog::index::Index;
use callslip_peers::set::{Query, Set, catalog};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn find(criterion: &mut Criterion) {
    if let Some(catalog) = catalog() {
        let queries: Vec<Query> = catalog.sets.into_iter().flat_map(|(_, queries)| queries).collect();
        run(criterion, "find/catalog", &catalog.bytes, &queries);
    }
    if let Some(set) = Set::read("mega-10k").or_else(|| Some(Set::made_up()?.grown(10_000))) {
        run(criterion, "find/10k", &set.index().0, &set.queries);
        run(criterion, "find/100k", &set.grown(100_000).index().0, &set.queries);
    }
}

/// Every iteration is one query, taken in turn.
fn run(criterion: &mut Criterion, name: &str, bytes: &[u8], queries: &[Query]) {
    let Ok(index) = Index::open(bytes) else { return };
    let mut turn = queries.iter().cycle();
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            let query = turn.next().map_or("", |query| query.text.as_str());
            black_box(index.search(query, 10, |_| true))
        });
    });
}

criterion_group!(benches, find);
criterion_main!(benches);
