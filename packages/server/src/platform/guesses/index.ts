export * from './guess-slots.ts';
export * from './throttle.ts';
