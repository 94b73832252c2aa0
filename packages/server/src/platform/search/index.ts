export * from './entries.ts';
export * from './initials.ts';
export * from './word.ts';
