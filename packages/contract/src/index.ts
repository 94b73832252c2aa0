export * from './api.ts';
export * from './codes.ts';
export * from './endpoint.ts';
export * from './enums.ts';
export * from './permissions.ts';
export type { World } from './world.ts';
