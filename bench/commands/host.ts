import { readConfig } from '../../packages/server/src/platform/config.ts';
import { start } from '../../packages/server/src/start.ts';
import { askDevice, type Measurement } from './ask.ts';

/**
 * The program as `npm start` runs it, in a process that can also ask devices over the program's own bus: what a screen
 * or a job does. Speaks with the bench by messages between the processes.
 */

const program = await start(readConfig(process.env));
process.send?.({ ready: true });
process.on('message', (wanted: Measurement | 'stop') => {
  if (wanted === 'stop') void program.stop().then(() => process.exit(0));
  else void askDevice(program.bus, wanted).then((times) => process.send?.({ times }));
});
