import { edgeRenewMethod } from './edge-certificate.ts';
import { edgeFlowMethod } from './edge-flow.ts';
import { edgeToolMethod } from './edge-tools.ts';

/** uCentral and edge agent; unknown ones are logged, never refused. */

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

/** `remote_access`: olg spelling of `rtty`. */
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

/** Says nothing about support. */
export function isControllerMethod(method: unknown): method is ControllerMethod {
  return typeof method === 'string' && controllerSet.has(method);
}

/** Change or restart: one at a time. */
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

/** No answer on success. */
export const silentMethods: ReadonlySet<ControllerMethod> = new Set<ControllerMethod>(['rrm', 'venue_broadcast']);
