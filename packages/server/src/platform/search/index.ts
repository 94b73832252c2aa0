export * from './entries.ts';
export * from './name-key.ts';
export * from './pattern.ts';
export * from './readings.ts';
export * from './tags.ts';
export * from './word.ts';
