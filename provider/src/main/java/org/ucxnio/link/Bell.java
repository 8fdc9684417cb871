package org.ucxnio.link;

/**
 * What a selector that sleeps is woken by: a pipe of its process. The numbers lead a writer of another process to it, see {@link Bells}.
 *
 * @param process the process, as the kernel tells it
 * @param descriptor of the end for writing
 * @param pipe number of the pipe: no other pipe of this machine has it as long as it is open
 */
public record Bell(int process, int descriptor, long pipe) {}
