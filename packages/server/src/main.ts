import { readConfig } from './platform/config.ts';
import { runUntilSignal, start } from './start.ts';

await runUntilSignal(async () => start(readConfig(process.env)));
