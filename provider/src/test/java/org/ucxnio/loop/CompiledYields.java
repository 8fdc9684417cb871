package org.ucxnio.loop;

/** Those of a process that has used rings before, which tries at the time for it alone. */
class CompiledYields extends CrowdYields {
    @Override
    boolean isCompilerInTheWay() {
        return false;
    }
}
