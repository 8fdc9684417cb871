package org.ucxnio.ucx.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.UcxUnavailableException;

/**
 * The functions of libucp, each next to its C declaration. Pointers and {@code size_t} are {@code long}; structures are
 * addresses of memory laid out by {@link UcpLayouts}.
 *
 * <p>Nothing here checks a handle. Thread rules are UCX's: those of a worker are serialised by the caller.
 */
final class Ucp {
    /**
     * {@code ucs_status_t}, an enum packed into a signed byte: what stands above its eight bits in a register is anything.
     */
    static final ValueLayout.OfByte STATUS = ValueLayout.JAVA_BYTE;

    // Set once by bind, before the first use of Handles.
    private static volatile long library;

    private Ucp() {}

    /**
     * {@code void ucp_get_version(unsigned *major_version, unsigned *minor_version, unsigned *release_number)}, by address,
     * as an unsuitable library must not be bound.
     */
    static int[] version(long function) {
        MethodHandle getVersion = Raw.downcall(function, 3);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(3L * Integer.BYTES, Integer.BYTES);
            long at = numbers.address();
            long ignored = (long) getVersion.invokeExact(at, at + 4, at + 8);
            return numbers.toArray(JAVA_INT);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** Binds every function to a library, once. */
    static void bind(long handle, String path) throws UcxUnavailableException {
        library = handle;
        try {
            Handles.touch();
        } catch (ExceptionInInitializerError e) {
            throw new UcxUnavailableException("'" + path + "' is not a libucp that works here: " + e.getCause(), e);
        }
    }

    /** Made when the library is known; constants, so that the compiler sees through them. */
    private static final class Handles {
        // ucs_status_t ucp_config_read(const char *env_prefix, const char *filename, ucp_config_t **config_p)
        static final MethodHandle CONFIG_READ = handle("ucp_config_read", 3);

        // ucs_status_t ucp_config_modify(ucp_config_t *config, const char *name, const char *value)
        static final MethodHandle CONFIG_MODIFY = handle("ucp_config_modify", 3);

        // void ucp_config_release(ucp_config_t *config)
        static final MethodHandle CONFIG_RELEASE = handle("ucp_config_release", 1);

        // ucs_status_t ucp_init_version(unsigned api_major_version, unsigned api_minor_version,
        //         const ucp_params_t *params, const ucp_config_t *config, ucp_context_h *context_p)
        static final MethodHandle INIT_VERSION = handle("ucp_init_version", 5);

        // void ucp_cleanup(ucp_context_h context_p)
        static final MethodHandle CLEANUP = handle("ucp_cleanup", 1);

        // void ucp_context_print_info(const ucp_context_h context, FILE *stream)
        static final MethodHandle CONTEXT_PRINT_INFO = handle("ucp_context_print_info", 2);

        // ucs_status_t ucp_worker_create(ucp_context_h context, const ucp_worker_params_t *params, ucp_worker_h
        // *worker_p)
        static final MethodHandle WORKER_CREATE = handle("ucp_worker_create", 3);

        // void ucp_worker_destroy(ucp_worker_h worker)
        static final MethodHandle WORKER_DESTROY = handle("ucp_worker_destroy", 1);

        // ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t **address_p, size_t *address_length_p)
        static final MethodHandle WORKER_GET_ADDRESS = handle("ucp_worker_get_address", 3);

        // void ucp_worker_release_address(ucp_worker_h worker, ucp_address_t *address)
        static final MethodHandle WORKER_RELEASE_ADDRESS = handle("ucp_worker_release_address", 2);

        // ucs_status_t ucp_worker_get_efd(ucp_worker_h worker, int *fd)
        static final MethodHandle WORKER_GET_EFD = handle("ucp_worker_get_efd", 2);

        // unsigned ucp_worker_progress(ucp_worker_h worker)
        static final MethodHandle WORKER_PROGRESS = handle("ucp_worker_progress", 1);

        // ucs_status_ptr_t ucp_worker_flush_nbx(ucp_worker_h worker, const ucp_request_param_t *param)
        static final MethodHandle WORKER_FLUSH_NBX = handle("ucp_worker_flush_nbx", 2);

        // ucs_status_t ucp_worker_arm(ucp_worker_h worker)
        static final MethodHandle WORKER_ARM = handle("ucp_worker_arm", 1);

        // ucs_status_t ucp_worker_signal(ucp_worker_h worker)
        static final MethodHandle WORKER_SIGNAL = handle("ucp_worker_signal", 1);

        // ucs_status_t ucp_worker_set_am_recv_handler(ucp_worker_h worker, const ucp_am_handler_param_t *param)
        static final MethodHandle WORKER_SET_AM_RECV_HANDLER = handle("ucp_worker_set_am_recv_handler", 2);

        // ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *ep_p)
        static final MethodHandle EP_CREATE = handle("ucp_ep_create", 3);

        // ucs_status_ptr_t ucp_ep_close_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
        static final MethodHandle EP_CLOSE_NBX = handle("ucp_ep_close_nbx", 2);

        // void ucp_ep_print_info(ucp_ep_h ep, FILE *stream)
        static final MethodHandle EP_PRINT_INFO = handle("ucp_ep_print_info", 2);

        // ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h ep, unsigned id, const void *header, size_t header_length,
        //         const void *buffer, size_t count, const ucp_request_param_t *param)
        static final MethodHandle AM_SEND_NBX = handle("ucp_am_send_nbx", 7);

        // ucs_status_t ucp_request_check_status(void *request)
        static final MethodHandle REQUEST_CHECK_STATUS = handle("ucp_request_check_status", 1);

        // void ucp_request_free(void *request)
        static final MethodHandle REQUEST_FREE = handle("ucp_request_free", 1);

        // ucs_status_t ucp_mem_map(ucp_context_h context, const ucp_mem_map_params_t *params, ucp_mem_h *memh_p)
        static final MethodHandle MEM_MAP = handle("ucp_mem_map", 3);

        // ucs_status_t ucp_mem_unmap(ucp_context_h context, ucp_mem_h memh)
        static final MethodHandle MEM_UNMAP = handle("ucp_mem_unmap", 2);

        private static MethodHandle handle(String name, int arguments) {
            return Raw.downcall(address(name), arguments);
        }

        private static long address(String name) {
            long address = LibC.symbol(library, name);
            if (address == 0) {
                throw new UnsupportedOperationException("it has no function " + name);
            }
            return address;
        }

        static void touch() {
            // Runs the initialiser.
        }
    }

    static int configRead(long envPrefix, long fileName, long resultAddress) {
        try {
            return (byte) (long) Handles.CONFIG_READ.invokeExact(envPrefix, fileName, resultAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int configModify(long config, long name, long value) {
        try {
            return (byte) (long) Handles.CONFIG_MODIFY.invokeExact(config, name, value);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void configRelease(long config) {
        try {
            long ignored = (long) Handles.CONFIG_RELEASE.invokeExact(config);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int init(long params, long config, long resultAddress) {
        try {
            return (byte) (long) Handles.INIT_VERSION.invokeExact(
                    (long) UcpLayouts.API_MAJOR, (long) UcpLayouts.API_MINOR, params, config, resultAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void cleanup(long context) {
        try {
            long ignored = (long) Handles.CLEANUP.invokeExact(context);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void contextPrintInfo(long context, long stream) {
        try {
            long ignored = (long) Handles.CONTEXT_PRINT_INFO.invokeExact(context, stream);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerCreate(long context, long params, long resultAddress) {
        try {
            return (byte) (long) Handles.WORKER_CREATE.invokeExact(context, params, resultAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void workerDestroy(long worker) {
        try {
            long ignored = (long) Handles.WORKER_DESTROY.invokeExact(worker);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerGetAddress(long worker, long addressAddress, long lengthAddress) {
        try {
            return (byte) (long) Handles.WORKER_GET_ADDRESS.invokeExact(worker, addressAddress, lengthAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void workerReleaseAddress(long worker, long address) {
        try {
            long ignored = (long) Handles.WORKER_RELEASE_ADDRESS.invokeExact(worker, address);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerGetEventFd(long worker, long resultAddress) {
        try {
            return (byte) (long) Handles.WORKER_GET_EFD.invokeExact(worker, resultAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerProgress(long worker) {
        try {
            return (int) (long) Handles.WORKER_PROGRESS.invokeExact(worker);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** The result is a {@code ucs_status_ptr_t}: see {@link #isRequest}. */
    static long workerFlush(long worker, long param) {
        try {
            return (long) Handles.WORKER_FLUSH_NBX.invokeExact(worker, param);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerArm(long worker) {
        try {
            return (byte) (long) Handles.WORKER_ARM.invokeExact(worker);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerSignal(long worker) {
        try {
            return (byte) (long) Handles.WORKER_SIGNAL.invokeExact(worker);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int workerSetAmHandler(long worker, long param) {
        try {
            return (byte) (long) Handles.WORKER_SET_AM_RECV_HANDLER.invokeExact(worker, param);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int endpointCreate(long worker, long params, long resultAddress) {
        try {
            return (byte) (long) Handles.EP_CREATE.invokeExact(worker, params, resultAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static long endpointClose(long endpoint, long param) {
        try {
            return (long) Handles.EP_CLOSE_NBX.invokeExact(endpoint, param);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void endpointPrintInfo(long endpoint, long stream) {
        try {
            long ignored = (long) Handles.EP_PRINT_INFO.invokeExact(endpoint, stream);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** Without a header. The result is a {@code ucs_status_ptr_t}: see {@link #isRequest}. */
    static long sendMessage(long endpoint, int id, long buffer, long length, long param) {
        try {
            return (long) Handles.AM_SEND_NBX.invokeExact(endpoint, (long) id, 0L, 0L, buffer, length, param);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int requestStatus(long request) {
        try {
            return (byte) (long) Handles.REQUEST_CHECK_STATUS.invokeExact(request);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static void requestFree(long request) {
        try {
            long ignored = (long) Handles.REQUEST_FREE.invokeExact(request);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int memoryMap(long context, long params, long resultAddress) {
        try {
            return (byte) (long) Handles.MEM_MAP.invokeExact(context, params, resultAddress);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    static int memoryUnmap(long context, long memory) {
        try {
            return (byte) (long) Handles.MEM_UNMAP.invokeExact(context, memory);
        } catch (Throwable t) {
            throw Raw.unexpected(t);
        }
    }

    /** {@code UCS_PTR_IS_PTR}: neither null nor one of the hundred values at the top, which are negative statuses. */
    static boolean isRequest(long statusPointer) {
        return Long.compareUnsigned(statusPointer - 1, -101) < 0;
    }
}
