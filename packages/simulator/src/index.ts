export * from './control.ts';
export { type DeviceStatus, SimulatedDevice } from './device.ts';
export * from './faults.ts';
export * from './fleet.ts';
export { livePast, type PastOptions, pastPace, type Said } from './history.ts';
export { simulatedSerial } from './world/addresses.ts';
export type { PlaceKind } from './world/hours.ts';
