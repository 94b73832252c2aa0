export * from './control.ts';
export { type DeviceStatus, SimulatedDevice } from './device.ts';
export * from './faults.ts';
export * from './fleet.ts';
export { type GuestPlan, startGuests } from './guest-walk.ts';
export { type HistoryReport, livePast, type PastOptions, pastPace } from './history.ts';
export { simulatedSerial } from './world/addresses.ts';
export type { PlaceKind } from './world/hours.ts';
