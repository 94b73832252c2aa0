export * from './authority.ts';
export * from './plain-system.ts';
export * from './rig.ts';
export * from './test-console.ts';
export * from './test-relay.ts';
export * from './test-session.ts';
