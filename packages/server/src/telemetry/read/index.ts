export * from './app-flow.ts';
export * from './series.ts';
export * from './ssids.ts';
export * from './stations.ts';
export * from './stays.ts';
export * from './terminals.ts';
export * from './types.ts';
export * from './users.ts';
