package org.ucxnio.ucx.ffm;

/**
 * Sizes, offsets and constants of UCP's C API as of 1.13, in bytes; the only place that holds them. Later versions only
 * append to these structures, and field masks tell UCX which fields are there.
 *
 * <p>Names are the C names: {@code X_FIELD} is the offset of {@code field} in {@code ucp_x_t}, {@code X_SIZE} its size.
 * A test compares each with the system's headers.
 */
final class UcpLayouts {
    // The version of the API these layouts are of, which UCX is told at ucp_init_version.
    static final int API_MAJOR = 1;
    static final int API_MINOR = 13;

    // ucs_status_t, see Ucp.STATUS
    static final int STATUS_SIZE = 1;

    // ucp_params_t
    static final int PARAMS_SIZE = 80;
    static final int PARAMS_FIELD_MASK = 0;
    static final int PARAMS_FEATURES = 8;
    static final int PARAMS_MT_WORKERS_SHARED = 48;
    static final int PARAMS_NAME = 72;
    static final long PARAM_FIELD_FEATURES = 1;
    static final long PARAM_FIELD_MT_WORKERS_SHARED = 1 << 5;
    static final long PARAM_FIELD_NAME = 1 << 8;
    static final long FEATURE_WAKEUP = 1 << 4;
    static final long FEATURE_AM = 1 << 6;

    // ucp_worker_params_t
    static final int WORKER_PARAMS_SIZE = 200;
    static final int WORKER_PARAMS_FIELD_MASK = 0;
    static final int WORKER_PARAMS_THREAD_MODE = 8;
    static final int WORKER_PARAMS_EVENTS = 144;
    static final long WORKER_PARAM_FIELD_THREAD_MODE = 1;
    static final long WORKER_PARAM_FIELD_EVENTS = 1 << 2;
    static final int THREAD_MODE_SERIALIZED = 1;
    static final int WAKEUP_RX = 1 << 11;

    // ucp_ep_params_t
    static final int EP_PARAMS_SIZE = 104;
    static final int EP_PARAMS_FIELD_MASK = 0;
    static final int EP_PARAMS_ADDRESS = 8;
    static final int EP_PARAMS_ERR_MODE = 16;
    static final int EP_PARAMS_ERR_HANDLER_CB = 24;
    static final int EP_PARAMS_ERR_HANDLER_ARG = 32;
    static final long EP_PARAM_FIELD_REMOTE_ADDRESS = 1;
    static final long EP_PARAM_FIELD_ERR_HANDLING_MODE = 1 << 1;
    static final long EP_PARAM_FIELD_ERR_HANDLER = 1 << 2;
    static final int ERR_HANDLING_MODE_PEER = 1;

    // ucp_request_param_t
    static final int REQUEST_PARAM_SIZE = 72;
    static final int REQUEST_PARAM_OP_ATTR_MASK = 0;
    static final int REQUEST_PARAM_FLAGS = 4;
    static final int REQUEST_PARAM_CB = 16;
    static final int REQUEST_PARAM_USER_DATA = 32;
    static final int REQUEST_PARAM_MEMORY_TYPE = 48;
    static final int REQUEST_PARAM_MEMH = 64;
    static final int OP_ATTR_FIELD_CALLBACK = 1 << 1;
    static final int OP_ATTR_FIELD_USER_DATA = 1 << 2;
    static final int OP_ATTR_FIELD_FLAGS = 1 << 4;
    static final int OP_ATTR_FIELD_MEMORY_TYPE = 1 << 6;
    static final int OP_ATTR_FIELD_MEMH = 1 << 8;
    static final int MEMORY_TYPE_HOST = 0;
    static final int EP_CLOSE_FLAG_FORCE = 1;
    static final int AM_SEND_FLAG_EAGER = 1 << 1;

    // ucp_am_handler_param_t
    static final int AM_HANDLER_PARAM_SIZE = 32;
    static final int AM_HANDLER_PARAM_FIELD_MASK = 0;
    static final int AM_HANDLER_PARAM_ID = 8;
    static final int AM_HANDLER_PARAM_FLAGS = 12;
    static final int AM_HANDLER_PARAM_CB = 16;
    static final int AM_HANDLER_PARAM_ARG = 24;
    static final long AM_HANDLER_PARAM_FIELD_ID = 1;
    static final long AM_HANDLER_PARAM_FIELD_FLAGS = 1 << 1;
    static final long AM_HANDLER_PARAM_FIELD_CB = 1 << 2;
    static final long AM_HANDLER_PARAM_FIELD_ARG = 1 << 3;
    static final int AM_FLAG_WHOLE_MSG = 1;

    // ucp_am_recv_param_t
    static final int AM_RECV_PARAM_SIZE = 16;
    static final int AM_RECV_PARAM_RECV_ATTR = 0;
    static final long AM_RECV_ATTR_FLAG_RNDV = 1 << 17;

    // ucp_mem_map_params_t
    static final int MEM_MAP_PARAMS_SIZE = 40;
    static final int MEM_MAP_PARAMS_FIELD_MASK = 0;
    static final int MEM_MAP_PARAMS_ADDRESS = 8;
    static final int MEM_MAP_PARAMS_LENGTH = 16;
    static final long MEM_MAP_PARAM_FIELD_ADDRESS = 1;
    static final long MEM_MAP_PARAM_FIELD_LENGTH = 1 << 1;

    private UcpLayouts() {}
}
