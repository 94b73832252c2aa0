import { edgeToolMethod } from './edge-tools.ts';
import type { ControllerMethod } from './methods.ts';

/** Protocol limits: milliseconds and bytes. */
export const deviceLimits = {
  /** Larger frames are split and lost. */
  frameBytes: 32 * 1024,
  /** Maximum frame sent to non-switches. */
  sendBytes: 32_000,
  switchFrameBytes: 4 * 1024 * 1024,
  /** From a device. */
  receiveBytes: 4 * 1024 * 1024,
  /** Inflated, whatever `compress_sz` says. */
  inflateBytes: 8 * 1024 * 1024,
  jsonDepth: 64,
  /** Signed, for ids and uuids. */
  int32: 2_147_483_647,
  /** `state` from this size. */
  compressStateFrom: 2048,
  /** Silence before a ping. */
  pingAfter: 60_000,
  /** Silence without a pong before a disconnect. */
  hangUpAfter: 70_000,
  /** Silence, pings included, until offline. */
  offlineAfter: 150_000,
  /** Minimum for state and health reports. */
  reportInterval: 60_000,
  bufferedEvents: 250,
  keptConfigurations: 5,
  /** Access points: 0, then rising by this to 900 s. */
  backOffStep: 10_000,
  backOffMax: 900_000,
  /** Fixed back-off of the switch client. */
  switchBackOff: 5_000,
  /** Wait after a certificate host mismatch. */
  wrongHostWait: 1_800_000,
  /** Offline; reconnects with `recovery`. */
  restartAfter: 300_000,
} as const;

export const devicePort = 15_002;

/** Offered by firmware; servers may omit it. */
export const deviceSubprotocol = 'ucentral-broker';

const minute = 60_000;

/** Milliseconds. */
export const commandTimeouts: Readonly<Record<ControllerMethod, number>> = {
  configure: 2 * minute,
  ping: minute,
  request: 2 * minute,
  reboot: minute,
  factory: minute,
  upgrade: 2 * minute,
  leds: 2 * minute,
  trace: 5 * minute,
  wifiscan: 2 * minute,
  event: minute,
  telemetry: minute,
  script: minute,
  rtty: minute,
  remote_access: minute,
  rrm: minute,
  fingerprint: minute,
  package: 5 * minute,
  certupdate: minute,
  reenroll: minute,
  transfer: minute,
  fixedconfig: minute,
  perform: minute,
  powercycle: minute,
  cablediagnostics: minute,
  venue_broadcast: minute,
  [edgeToolMethod]: 2 * minute,
};
