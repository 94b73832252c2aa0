/** Enumerations that several features share; each lives here once and nowhere else. */

/** Presence of a device or network. `restarting` is our own doing; an offline device keeps its last-known values. */
export const deviceStatuses = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;
export type DeviceStatus = (typeof deviceStatuses)[number];

/** What a device is for. */
export const deviceKinds = ['ap', 'switch', 'gateway'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** Where a device's configuration stands. `failed`: the device kept its last good one; `drifted`: it runs one we did not push. */
export const syncStates = ['in_sync', 'pending', 'applying', 'failed', 'drifted'] as const;
export type SyncState = (typeof syncStates)[number];

/** Why connections and lines are not known: nothing routes there, it does not run our agent, or it has not reported yet. */
export const gatewayReasons = ['no_gateway', 'not_agent', 'no_report'] as const;
export type GatewayReason = (typeof gatewayReasons)[number];

/** What unbinding a router takes away (spec section 4). */
export const unbindParts = [
  'backup',
  'alarm',
  'hosting',
  'open_platform',
  'value_added',
  'configuration',
  'certificate',
] as const;
export type UnbindPart = (typeof unbindParts)[number];

/** What an operation was done to; the console has a text for each. */
export const loggedKinds = [
  ...(['network', 'device', 'selection', 'group', 'template', 'plan', 'backup', 'firmware', 'password'] as const),
  ...(['station', 'asset', 'view', 'job', 'account', 'person', 'member', 'invitation', 'grant'] as const),
  ...(['session', 'token', 'passkey', 'installation'] as const),
] as const;
export type LoggedKind = (typeof loggedKinds)[number];

/** Alarm levels (spec section 3), worst first. */
export const alarmLevels = ['FATAL', 'MIDDLE', 'GENERAL'] as const;
export type AlarmLevel = (typeof alarmLevels)[number];

/** Categories of application flow (spec section 3). */
export const applicationCategories = [
  'HTTP',
  'Download',
  'IM',
  'Video',
  'Game',
  'Common',
  'Others',
  'Test',
  'Transport',
  'Unknown',
] as const;
export type ApplicationCategory = (typeof applicationCategories)[number];

/** Terminal types (spec section 3). What is known to be none of them is `other`, beside these. */
export const terminalTypes = ['android', 'ios', 'mac', 'windows'] as const;
export type TerminalType = (typeof terminalTypes)[number];

/** How long a visit was (spec section 3): below and above 30 minutes, then hours. A bound belongs to the longer one. */
export const usageTimeBuckets = ['<30', '>30', '1~2', '2~4', '>4'] as const;
export type UsageTimeBucket = (typeof usageTimeBuckets)[number];

/** Parts of the day (spec section 3), hours of the account's own clock; a bound belongs to the later one. */
export const dayParts = ['0~6', '6~11', '11~14', '14~19', '19~00'] as const;
export type DayPart = (typeof dayParts)[number];

/** Slots of four hours of the account's own clock. */
export const daySlots = ['0~4', '4~8', '8~12', '12~16', '16~20', '20~24'] as const;
export type DaySlot = (typeof daySlots)[number];

/** How a user proved who it is. Access points tell of their captive portal only, and not by which of its methods. */
export const authTypes = ['portal'] as const;
export type AuthType = (typeof authTypes)[number];
