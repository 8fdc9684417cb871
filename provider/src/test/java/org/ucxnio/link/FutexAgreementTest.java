package org.ucxnio.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.jdk.ForeignFunctions;
import org.ucxnio.testing.ChildJvm;

/** Two processes that agree on waking sleepers by futexes. */
@Timeout(30)
class FutexAgreementTest {
    private final List<Integer> notes = new CopyOnWriteArrayList<>();

    private FutexAgreement with(boolean peerCan) {
        return new FutexAgreement(peerCan, notes::add);
    }

    @Test
    void shouldAskOnceAndWaitForTheAnswer() {
        TestFutexes.load();
        FutexAgreement agreement = with(true);
        assertThat(notes).as("no thread wants to sleep").isEmpty();

        assertThat(agreement.isReached()).isFalse();
        assertThat(agreement.isReached()).isFalse();
        assertThat(notes).containsExactly(FutexAgreement.WANTED);

        assertThat(agreement.onNote(FutexAgreement.WAKES)).isTrue();
        assertThat(agreement.isReached()).isTrue();
    }

    /** A peer that sleeps by a futex before it is told so would sleep for ever. */
    @Test
    void shouldSayThatItWakesOnlyWithAFutex() {
        FutexAgreement agreement = with(true);

        assertThat(agreement.onNote(FutexAgreement.WANTED)).isTrue();

        await().until(() -> notes.contains(FutexAgreement.WAKES));
        assertThat(agreement.futex()).isNotNull();
        assertThat(agreement.isReached()).as("the peer has not said the same").isFalse();
    }

    /** The same in a process that has loaded nothing yet, unlike this one. */
    @Test
    void shouldLoadWhatItTakesBeforeItSaysSo() throws Exception {
        try (ChildJvm child = ChildJvm.start(FutexAgreementTest.class)) {
            assertThat(child.expect("before")).contains("false");
            assertThat(child.expect("note")).contains(FutexAgreement.WAKES + " true");
            assertThat(child.exitCode()).as(child.output()).isZero();
        }
    }

    /** Where both would load at once each would take the other's processor. */
    @Test
    void shouldHaveThePeerLoadBeforeItselfWhereThreadsAreExpected() throws Exception {
        try (ChildJvm child = ChildJvm.start(FutexAgreementTest.class, "expecting")) {
            assertThat(child.expect("note")).contains(Integer.toString(FutexAgreement.WANTED));
            assertThat(child.expect("loads")).contains("false");
            assertThat(child.expect("reached")).contains("true");
            assertThat(child.exitCode()).as(child.output()).isZero();
        }
    }

    private static void expect() {
        FutexAgreement agreement = new FutexAgreement(true, number -> System.out.println("note " + number));
        agreement.expect();
        agreement.expect();
        boolean loads = Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("ucxnio-functions"));
        System.out.println("loads " + (loads || agreement.futex() != null));
        agreement.onNote(FutexAgreement.WAKES);
        await().until(() -> agreement.futex() != null);
        System.out.println("reached " + agreement.isReached());
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0) {
            expect();
            return;
        }
        CountDownLatch told = new CountDownLatch(1);
        FutexAgreement agreement = new FutexAgreement(true, number -> {
            System.out.println("note " + number + " " + (ForeignFunctions.futex() != null));
            told.countDown();
        });
        System.out.println("before " + (agreement.futex() != null));
        agreement.onNote(FutexAgreement.WANTED);
        told.await();
    }

    @Test
    void shouldAnswerOnce() {
        TestFutexes.load();
        FutexAgreement agreement = with(true);

        agreement.onNote(FutexAgreement.WANTED);
        agreement.onNote(FutexAgreement.WANTED);

        assertThat(notes).containsExactly(FutexAgreement.WAKES);
    }

    @Test
    void shouldAnswerEveryProcessThatAsks() {
        TestFutexes.load();

        with(true).onNote(FutexAgreement.WANTED);
        with(true).onNote(FutexAgreement.WANTED);

        assertThat(notes).containsExactly(FutexAgreement.WAKES, FutexAgreement.WAKES);
    }

    @Test
    void shouldAskNobodyWhoCannot() {
        FutexAgreement agreement = with(false);

        assertThat(agreement.isReached()).isFalse();
        assertThat(agreement.onNote(FutexAgreement.WANTED)).isTrue();

        assertThat(notes).isEmpty();
    }

    @Test
    void shouldLeaveOtherNumbersAlone() {
        FutexAgreement agreement = with(true);

        assertThat(agreement.onNote(0)).isFalse();
        assertThat(agreement.onNote(7)).isFalse();
        assertThat(agreement.onNote(-3)).isFalse();
    }
}
