export type { StateSummary } from './extract.ts';
export { summarise } from './extract.ts';
export { createLatestWriter, type LatestWriter, readLatestState } from './latest.ts';
export { createPresenceStore, type LostLink, type PresenceStore } from './presence.ts';
