import { edgeRenewMethod } from './edge-certificate.ts';
import { edgeFlowMethod } from './edge-flow.ts';
import { edgeToolMethod } from './edge-tools.ts';

/**
 * uCentral methods (access points, switches, public document) and edge agent methods. Unknown ones are logged, never
 * refused.
 */

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
export type DeviceMethod = (typeof deviceMethods)[number];

/** `remote_access` is the gateway (olg) spelling of `rtty`. */
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
  edgeToolMethod,
] as const;
export type ControllerMethod = (typeof controllerMethods)[number];

const deviceSet: ReadonlySet<string> = new Set(deviceMethods);
const controllerSet: ReadonlySet<string> = new Set(controllerMethods);

export function isDeviceMethod(method: unknown): method is DeviceMethod {
  return typeof method === 'string' && deviceSet.has(method);
}

/** Says nothing about a device's support. */
export function isControllerMethod(method: unknown): method is ControllerMethod {
  return typeof method === 'string' && controllerSet.has(method);
}

/** Change or restart the device: one at a time. Others may overlap. */
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

/** Access points never answer these on success: send without waiting. */
export const silentMethods: ReadonlySet<ControllerMethod> = new Set<ControllerMethod>(['rrm', 'venue_broadcast']);
