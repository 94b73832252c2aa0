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
