package org.ucxnio.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.ring.Block;

@Timeout(60)
class SessionMemoryTest {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final byte[] TOKEN = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    private static final byte[] PEER_TOKEN = {-1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    @TempDir
    private Path folder;

    private FolderOfSlabs files;
    private final MemoryBudget budget = new MemoryBudget(64L << 20);
    private final MemoryBudget peerBudget = new MemoryBudget(64L << 20);
    private final List<Integer> told = new ArrayList<>();
    private SessionMemory writer;
    private SessionMemory reader;

    @BeforeEach
    void makeBothEnds() {
        files = new FolderOfSlabs(folder);
        writer = new SessionMemory(files, TOKEN, PEER_TOKEN, budget, told::add);
        reader = new SessionMemory(files, PEER_TOKEN, TOKEN, peerBudget, slab -> {});
    }

    private ByteBuffer seenByReader(Block block) throws IOException {
        return reader.peerBlock(block.slab(), block.offset(), block.bytes());
    }

    private static void fill(Block block) {
        for (int i = 0; i < block.bytes(); i += 4) {
            block.memory().putInt(i, -1);
        }
    }

    private static void expectZeroHeader(Block block) {
        for (int i = 0; i < block.bytes() / 2; i++) {
            assertThat(block.memory().get(i)).as("byte %d", i).isZero();
        }
    }

    private Path slabFile(int number) {
        return files.path(SlabName.prefix(TOKEN) + number);
    }

    // -- blocks of our own -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB})
    void shouldShareBlocksOfEverySize(int bytes) throws IOException {
        Block first = writer.allocate(bytes);
        Block second = writer.allocate(bytes);
        assertThat(first.bytes()).isEqualTo(bytes);
        assertThat(first.memory().order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(first.offset() % 4096).isZero();
        expectZeroHeader(first);
        fill(first);
        expectZeroHeader(second);
        ByteBuffer seen = seenByReader(first);
        assertThat(seen.capacity()).isEqualTo(bytes);
        assertThat(seen.order()).isEqualTo(ByteOrder.nativeOrder());
        assertThat(seen.getInt(bytes - 4)).isEqualTo(-1);
        seen.putInt(8, 42);
        assertThat(first.memory().getInt(8)).isEqualTo(42);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1, 4095, 8 * KIB, 32 * KIB, 16 * MIB, Integer.MIN_VALUE})
    void shouldKnowNoOtherSizes(int bytes) {
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException().isThrownBy(() -> writer.allocate(bytes));
    }

    @Test
    void shouldTakeLittleForTheFirstRings() throws IOException {
        writer.allocate(4 * KIB);
        assertThat(budget.held()).isEqualTo(64 * KIB);
        for (int i = 1; i < 16; i++) {
            writer.allocate(4 * KIB);
        }
        assertThat(budget.held()).isEqualTo(64 * KIB);
        writer.allocate(4 * KIB);
        assertThat(budget.held()).isEqualTo((64 + 256) * KIB);
        assertThat(told).hasSize(2);
    }

    @Test
    void shouldUseWhatIsLeftOfASlab() throws IOException {
        writer.allocate(4 * KIB);
        // Does not fit behind it.
        writer.allocate(64 * KIB);
        long held = budget.held();
        for (int i = 0; i < 3; i++) {
            writer.allocate(16 * KIB);
        }
        for (int i = 0; i < 3; i++) {
            writer.allocate(4 * KIB);
        }
        assertThat(budget.held()).isEqualTo(held);
    }

    @Test
    void shouldNeedFewSlabsForManyRings() throws IOException {
        for (int i = 0; i < 48 * MIB / (16 * KIB); i++) {
            assertThat(writer.allocate(16 * KIB)).isNotNull();
        }
        assertThat(told).hasSizeLessThan(80);
        assertThat(budget.held()).isLessThan(50 * MIB);
    }

    @Test
    void shouldNotHoldMoreThanTheProcessMay() throws IOException {
        MemoryBudget small = new MemoryBudget(600 * KIB);
        SessionMemory memory = new SessionMemory(files, TOKEN, PEER_TOKEN, small, told::add);
        assertThat(memory.allocate(MIB)).isNull();
        int blocks = 0;
        while (memory.allocate(4 * KIB) != null) {
            blocks++;
        }
        // The last slabs are small ones.
        assertThat(blocks).isEqualTo(576 / 4);
        assertThat(small.held()).isEqualTo(576 * KIB);
        SessionMemory other = new SessionMemory(files, TOKEN, PEER_TOKEN, small, told::add);
        assertThat(other.allocate(4 * KIB)).isNull();
        memory.end();
        assertThat(small.held()).isZero();
        assertThat(other.allocate(4 * KIB)).isNotNull();
        small.close();
        assertThat(other.allocate(MIB)).isNull();
    }

    /** As {@code /dev/shm} is. */
    @Test
    void shouldFailWhereThereIsNoRoom() {
        SlabFiles full = new SlabFiles() {
            @Override
            public FileChannel open(String name, Set<? extends OpenOption> options) throws IOException {
                files.open(name, options).close();
                return FileChannel.open(Path.of("/dev/full"), StandardOpenOption.READ, StandardOpenOption.WRITE);
            }

            @Override
            public boolean delete(String name) throws IOException {
                return files.delete(name);
            }
        };
        SessionMemory memory = new SessionMemory(full, TOKEN, PEER_TOKEN, budget, told::add);
        assertThatIOException().isThrownBy(() -> memory.allocate(4 * KIB)).withMessageContaining("No space left");
        assertThat(budget.held()).isZero();
        assertThat(told).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    // -- used again --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {4 * KIB, MIB})
    void shouldUseAFreeBlockAgain(int bytes) throws IOException {
        Block block = writer.allocate(bytes);
        fill(block);
        writer.free(block);
        Block again = writer.allocate(bytes);
        assertThat(again).isSameAs(block);
        expectZeroHeader(again);
    }

    @Test
    void shouldUseARetiredBlockAgainOnceItsReaderIsDone() throws IOException {
        Block block = writer.allocate(4 * KIB);
        ByteBuffer seen = seenByReader(block);
        fill(block);
        block.memory().putInt(Block.READER_DONE, 0);
        writer.retire(block);
        assertThat(writer.allocate(4 * KIB)).isNotSameAs(block);
        seen.putInt(Block.READER_DONE, 2);
        Block again = writer.allocate(4 * KIB);
        assertThat(again).isSameAs(block);
        expectZeroHeader(again);
    }

    @Test
    void shouldFindADoneBlockBehindOthers() throws IOException {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            blocks.add(writer.allocate(4 * KIB));
        }
        blocks.forEach(writer::retire);
        seenByReader(blocks.get(99)).putInt(Block.READER_DONE, 1);
        List<Block> taken = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            taken.add(writer.allocate(4 * KIB));
        }
        assertThat(taken).contains(blocks.get(99));
        Set<Block> others = new HashSet<>(blocks.subList(0, 99));
        assertThat(taken).doesNotContainAnyElementsOf(others);
    }

    // -- slabs and their names ---------------------------------------------------------------------------------------

    @Test
    void shouldMapASlabOfWhichItWasTold() throws IOException {
        Block block = writer.allocate(4 * KIB);
        assertThat(files.names()).hasSize(1);
        assertThat(told).containsExactly(block.slab());
        reader.mapPeerSlab(block.slab());
        assertThat(files.names()).isEmpty();
        block.memory().putInt(0, 7);
        assertThat(seenByReader(block).getInt(0)).isEqualTo(7);
    }

    @Test
    void shouldMapASlabWhenARecordNamesItFirst() throws IOException {
        Block block = writer.allocate(4 * KIB);
        block.memory().putInt(0, 7);
        assertThat(seenByReader(block).getInt(0)).isEqualTo(7);
        assertThat(files.names()).isEmpty();
        reader.mapPeerSlab(block.slab());
        assertThat(seenByReader(block).getInt(0)).isEqualTo(7);
    }

    /** The peer may be this process: both ends of the session have the same token. */
    @Test
    void shouldShareWithItself() throws IOException {
        SessionMemory client = new SessionMemory(files, TOKEN, TOKEN, budget, told::add);
        SessionMemory server = new SessionMemory(files, TOKEN, TOKEN, budget, told::add);
        Block out = client.allocate(4 * KIB);
        Block in = server.allocate(4 * KIB);
        assertThat(out.slab()).isNotEqualTo(in.slab());
        out.memory().putInt(0, 1);
        in.memory().putInt(0, 2);
        assertThat(server.peerBlock(out.slab(), out.offset(), out.bytes()).getInt(0))
                .isEqualTo(1);
        assertThat(client.peerBlock(in.slab(), in.offset(), in.bytes()).getInt(0))
                .isEqualTo(2);
    }

    @Test
    void shouldDeleteItsNamesAtTheEnd() throws IOException {
        Block block = writer.allocate(4 * KIB);
        writer.allocate(MIB);
        Files.createFile(files.path("precious"));
        assertThat(writer.isAlive()).isTrue();
        writer.end();
        writer.end();
        assertThat(writer.isAlive()).isFalse();
        assertThat(files.names()).containsExactly("precious");
        assertThat(budget.held()).isZero();
        writer.retire(block);
        writer.free(block);
        assertThat(writer.allocate(4 * KIB)).isNull();
    }

    /** A peer that died has left its last bytes. */
    @Test
    void shouldMapThePeersSlabsBehindTheEnd() throws IOException {
        Block block = writer.allocate(4 * KIB);
        Block later = writer.allocate(MIB);
        later.memory().putInt(0, 9);
        seenByReader(block);
        reader.end();
        assertThat(seenByReader(later).getInt(0)).isEqualTo(9);
    }

    // -- a peer that lies --------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "0, 0, 8192",
        "0, 0, 0",
        "0, 0, -4096",
        "0, 0, -2147483648",
        "0, -4096, 4096",
        "0, 1, 4096",
        "0, 64, 4096",
        "0, 61440, 16384",
        "0, 65536, 4096",
        "0, 2147479552, 4096",
        "0, 0, 262144",
        "0, 0, 8388608",
        "1, 0, 4096",
        "2147483640, 0, 4096",
        "-1, 0, 4096",
        "-2147483648, 0, 4096"
    })
    void shouldRefuseBlocksThatThereAreNot(int slabsFurther, int offset, int bytes) throws IOException {
        Block block = writer.allocate(4 * KIB);
        int slab = slabsFurther < 0 ? slabsFurther : block.slab() + slabsFurther;
        assertThatIOException()
                .isThrownBy(() -> reader.peerBlock(slab, offset, bytes))
                .withMessageContaining("peer");
        assertThat(seenByReader(block)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4095, 4097, (4 << 20) + 1, 1L << 40})
    void shouldRefuseAFileThatIsNoSlab(long bytes) throws IOException {
        try (FileChannel file =
                FileChannel.open(slabFile(5), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            if (bytes > 0) {
                file.write(ByteBuffer.allocate(1), bytes - 1);
            }
        }
        assertThatIOException().isThrownBy(() -> reader.peerBlock(5, 0, 4096)).withMessageContaining(bytes + " bytes");
        assertThat(Files.size(slabFile(5))).isEqualTo(bytes);
    }

    @Test
    void shouldRefuseBlocksBehindTheEndOfATruncatedSlab() throws IOException {
        Block block = writer.allocate(16 * KIB);
        try (FileChannel file = FileChannel.open(slabFile(block.slab()), StandardOpenOption.WRITE)) {
            file.truncate(8 * KIB);
        }
        assertThatIOException().isThrownBy(() -> seenByReader(block)).withMessageContaining("of a slab of 8192 bytes");
    }

    @Test
    void shouldFollowNoLink() throws IOException {
        Path target = Files.write(folder.resolve("target"), new byte[64 * KIB]);
        Files.createSymbolicLink(slabFile(1), target);
        assertThatIOException().isThrownBy(() -> reader.peerBlock(1, 0, 4096));
        assertThat(target).hasSize(64 * KIB);
    }

    // -- threads -----------------------------------------------------------------------------------------------------

    @Test
    void shouldNotMindAnInterrupt() throws IOException {
        Thread.currentThread().interrupt();
        Block block = writer.allocate(MIB);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(seenByReader(block)).isNotNull();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldHandOutABlockOnceWhateverThreadsDo() throws Exception {
        Map<Integer, BitSet> owned = new HashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<Void> work = () -> {
            List<Block> mine = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                if (mine.size() < 20 && ThreadLocalRandom.current().nextBoolean()) {
                    Block block = writer.allocate(
                            4 * KIB << 2 * ThreadLocalRandom.current().nextInt(3));
                    mark(owned, block, true);
                    mine.add(block);
                } else if (!mine.isEmpty()) {
                    Block block = mine.remove(ThreadLocalRandom.current().nextInt(mine.size()));
                    mark(owned, block, false);
                    writer.free(block);
                }
            }
            return null;
        };
        List<Future<Void>> results = threads.invokeAll(List.of(work, work, work, work));
        threads.shutdown();
        for (Future<Void> result : results) {
            result.get();
        }
    }

    private static void mark(Map<Integer, BitSet> owned, Block block, boolean taken) {
        synchronized (owned) {
            BitSet pages = owned.computeIfAbsent(block.slab(), number -> new BitSet());
            int from = block.offset() / 4096;
            for (int page = from; page < from + block.bytes() / 4096; page++) {
                assertThat(pages.get(page)).isEqualTo(!taken);
                pages.set(page, taken);
            }
        }
    }
}
