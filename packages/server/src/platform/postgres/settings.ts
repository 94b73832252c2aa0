import { totalmem } from 'node:os';

const megabyte = 1024 * 1024;

export function serverSettings(socketDir: string, memory = totalmem()): Record<string, string> {
  const share = (part: number, least: number, max: number) =>
    `${Math.round(Math.min(max, Math.max(least, memory / part / megabyte)))}MB`;
  return {
    // this build's TLS library is too old for a network
    listen_addresses: '',
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    port: '5432',
    max_connections: '100',
    shared_buffers: share(8, 64, 1024),
    effective_cache_size: share(2, 256, 16_384),
    maintenance_work_mem: share(32, 32, 256),
    work_mem: '8MB',
    // durability of acknowledged writes
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // limits recovery: 3.4 GB took 26 s
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    // two cores are shared; a container's /dev/shm is too small for parallel hash joins
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    // logind removes POSIX segments at sign-out
    dynamic_shared_memory_type: 'mmap',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_checkpoints: 'off',
    lc_messages: 'C',
  };
}
