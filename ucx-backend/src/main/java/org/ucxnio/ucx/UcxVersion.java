package org.ucxnio.ucx;

/** Versions of UCX, to be compared. */
public final class UcxVersion {
    private static final int PARTS = 3;
    private static final int PART_BITS = 8;

    private UcxVersion() {}

    /** A number for a version {@code major.minor.release}, the larger the later. What is missing or no number counts as 0. */
    public static int number(String version) {
        int number = 0;
        String[] parts = version.split("[^0-9]+");
        for (int i = 0; i < PARTS; i++) {
            int part = i < parts.length && !parts[i].isEmpty() ? Integer.parseInt(parts[i]) : 0;
            number = number << PART_BITS | Math.min(part, (1 << PART_BITS) - 1);
        }
        return number;
    }
}
