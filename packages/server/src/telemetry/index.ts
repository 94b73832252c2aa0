export type { KeptEdge } from './extract/edge.ts';
export type { StateSummary } from './extract/summary.ts';
export { summarise } from './extract/summary.ts';
export { createIngest, type Ingest } from './ingest/index.ts';
export { telemetryOfUnbound, terminalsMove } from './ingest/unbind.ts';
export { createLatestWriter, type LatestWriter, readLatestEdge, readLatestState, readLatestStates } from './latest.ts';
export { createPresenceStore, type LostLink, type PresenceStore } from './presence.ts';
export { createSessionTotals, type SessionTotals } from './session-totals.ts';
