export type EdgeSnapshotParams = { tool: 'snapshot'; address: string; port: number };

/** `outside`: no host of an own LAN. */
export const edgeSnapshotReasons = ['password', 'none', 'silent', 'too_large', 'outside'] as const;
export type EdgeSnapshotReason = (typeof edgeSnapshotReasons)[number];

/** `status.tool.snapshot` of the reply. */
export type EdgeSnapshotResult = { picture: string } | { reason: EdgeSnapshotReason };

/** Milliseconds; bytes before base64. */
export const edgeSnapshotLimits = { ms: 5000, bytes: 512 * 1024 } as const;
