import type { ControllerMethod } from './methods.ts';

/** Fixed sizes and times of the device protocol. Times are milliseconds, sizes bytes. */
export const deviceLimits = {
  /** Receive buffer of the access-point client: a text frame of this size or more is cut in two and lost. */
  frameBytes: 32 * 1024,
  /** The largest frame we send to anything but a switch. */
  sendBytes: 32_000,
  /** Receive buffer of the switch client. */
  switchFrameBytes: 4 * 1024 * 1024,
  /** The largest frame a controller accepts from a device. */
  receiveBytes: 4 * 1024 * 1024,
  /** The most that a compressed message may inflate to, whatever its `compress_sz` says. */
  inflateBytes: 8 * 1024 * 1024,
  /** Deepest nesting of a JSON message that is still read. */
  jsonDepth: 64,
  /** Largest request id and configuration uuid: the device keeps both in a signed 32-bit integer. */
  int32: 2_147_483_647,
  /** A device compresses `state` from this many bytes of parameters on. */
  compressStateFrom: 2048,
  /** A client sends a WebSocket ping after this much silence, ... */
  pingAfter: 60_000,
  /** ... and hangs up when this much silence has passed without a pong. */
  hangUpAfter: 70_000,
  /** A controller takes a device for gone after this long without any frame, pings included. */
  offlineAfter: 150_000,
  /** Shortest interval of state and health reports that a configuration may ask for. */
  reportInterval: 60_000,
  /** Events that an access point keeps while it is offline. */
  bufferedEvents: 250,
  /** Configurations that an access point keeps. */
  keptConfigurations: 5,
  /** Reconnect steps of the access-point client after failures: 0, then rising by 10 s to 900 s. */
  backOffStep: 10_000,
  backOffMost: 900_000,
  /** Reconnect step of the switch client. */
  switchBackOff: 5_000,
  /** Wait after the server's certificate named another host. */
  wrongHostWait: 1_800_000,
  /** A client that was offline this long restarts itself and comes back with reason `recovery`. */
  restartAfter: 300_000,
} as const;

/** Default port of the device uplink. */
export const devicePort = 15_002;

/** WebSocket subprotocol that firmware offers; a server may echo or omit it. */
export const deviceSubprotocol = 'ucentral-broker';

const minute = 60_000;

/** How long a controller waits for the reply to each method, in milliseconds. */
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
};
