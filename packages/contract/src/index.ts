export * as account from './account.ts';
export * from './api.ts';
export * as billing from './billing.ts';
export * from './codes.ts';
export * as configuration from './configuration.ts';
export * from './endpoint.ts';
export * from './enums.ts';
export * as fleet from './fleet.ts';
export * as identity from './identity.ts';
export type { Density, HomeSection, Locale, PageSize, Theme } from './identity-shapes.ts';
export * as installation from './installation.ts';
export type { JobItemStatus, JobStatus } from './jobs.ts';
export * as jobs from './jobs.ts';
export { apiTokenPrefix, limits } from './limits.ts';
export * from './live.ts';
export * as logs from './logs.ts';
export * as messages from './messages.ts';
export * from './permissions.ts';
export * as personal from './personal.ts';
export * as personalSecurity from './personal-security.ts';
export { type ExportFormat, exportFormats } from './shapes.ts';
export type { SourceState, UserGroup } from './statistics.ts';
export * as statistics from './statistics.ts';
export type { EndReason, StationBand, StationList, UserTab } from './users.ts';
export * as users from './users.ts';
export * as wirelessMonitor from './wireless-monitor.ts';
export {
  type AirPart,
  airParts,
  type RawNumber,
  type ScorePart,
  type WirelessBand,
  type WirelessStep,
  wirelessBands,
} from './wireless-monitor.ts';
export type { World } from './world.ts';
