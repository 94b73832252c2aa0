import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { readConfig } from './platform/config.ts';
import { runUntilSignal, start } from './start.ts';

// on one core V8's marking threads and the program take turns of 18 ms: pages waited 200 ms at each collection
if (availableParallelism() === 1) setFlagsFromString('--no-concurrent-marking');

await runUntilSignal(async () => start(readConfig(process.env)));
