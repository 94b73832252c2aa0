import { edgeRenewMethod } from './edge-certificate.ts';
import { edgeFlowMethod } from './edge-flow.ts';

/**
 * Method names of the uCentral protocol, as the access-point client, the switch client and the public protocol
 * document spell them, and what our own agent says beside. An unknown method from a device is logged, never refused.
 */

/** What a device may say unasked. */
export const deviceMethods = [
  'connect',
  'state',
  'healthcheck',
  'log',
  'event',
  'telemetry',
  'wifiscan',
  'alarm',
  'crashlog',
  'rebootLog',
  'recovery',
  'deviceupdate',
  'venue_broadcast',
  'ping',
  'cfgpending',
  edgeFlowMethod,
  edgeRenewMethod,
] as const;
/** One of `deviceMethods`. */
export type DeviceMethod = (typeof deviceMethods)[number];

/** What a controller may ask of a device. `remote_access` is the gateway (olg) spelling of `rtty`. */
export const controllerMethods = [
  'configure',
  'ping',
  'request',
  'reboot',
  'factory',
  'upgrade',
  'leds',
  'trace',
  'wifiscan',
  'event',
  'telemetry',
  'script',
  'rtty',
  'remote_access',
  'rrm',
  'fingerprint',
  'package',
  'certupdate',
  'reenroll',
  'transfer',
  'fixedconfig',
  'perform',
  'powercycle',
  'cablediagnostics',
  'venue_broadcast',
] as const;
/** One of `controllerMethods`. */
export type ControllerMethod = (typeof controllerMethods)[number];

const deviceSet: ReadonlySet<string> = new Set(deviceMethods);
const controllerSet: ReadonlySet<string> = new Set(controllerMethods);

/** Whether a device may send this method by the protocol. */
export function isDeviceMethod(method: unknown): method is DeviceMethod {
  return typeof method === 'string' && deviceSet.has(method);
}

/** Whether a controller may send this method by the protocol. Says nothing about one device being able to do it. */
export function isControllerMethod(method: unknown): method is ControllerMethod {
  return typeof method === 'string' && controllerSet.has(method);
}

/**
 * Methods that change the device or restart it: one of these at a time per device. The rest only read or are
 * answered at once and may overlap.
 */
export const changingMethods: ReadonlySet<ControllerMethod> = new Set<ControllerMethod>([
  'configure',
  'reboot',
  'factory',
  'upgrade',
  'package',
  'certupdate',
  'reenroll',
  'transfer',
  'fixedconfig',
]);

/** Methods that an access point obeys without ever answering on success (`rrm`): send and do not wait. */
export const silentMethods: ReadonlySet<ControllerMethod> = new Set<ControllerMethod>(['rrm', 'venue_broadcast']);
