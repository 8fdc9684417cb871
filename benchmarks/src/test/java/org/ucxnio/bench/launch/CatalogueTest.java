package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CatalogueTest {
    @Test
    void shouldGiveEachBenchmarkANameOfItsOwn() {
        assertThat(Catalogue.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindByNameByBeginningAndAll() {
        assertThat(Catalogue.find("rtt-blocking")).extracting(Scenario::name).containsExactly("rtt-blocking");
        assertThat(Catalogue.find("stream-64k"))
                .extracting(Scenario::name)
                .containsExactly("stream-64k-blocking", "stream-64k-selector");
        assertThat(Catalogue.find("all")).hasSameSizeAs(Catalogue.all());
        assertThat(Catalogue.find("stream-6")).isEmpty();
    }
}
