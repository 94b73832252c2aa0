// Measures inside the lab's gateway. Reads JSON commands by line, answers { answer } lines. Argument: JSON { layout,
// rules, stateFolder, ports, every, timeouts }.
import { createInterface } from 'node:readline';
import { systemClock } from '../../../packages/edge/src/clock.ts';
import { createFlow } from '../../../packages/edge/src/flow/index.ts';
import { createMeasures } from '../../../packages/edge/src/measure/index.ts';

const { layout, rules, stateFolder, ports, every, timeouts } = JSON.parse(process.argv[2]!);
const events: unknown[] = [];
const lines: unknown[] = [];
const sent: unknown[] = [];
let online = false;
const measures = createMeasures({ clock: systemClock, ports, stateFolder, every, timeouts });
const flow = createFlow({
  clock: systemClock,
  serial: '02aabbccddee',
  stateFolder,
  measures,
  send(_method, params) {
    if (online) sent.push(params);
    return online;
  },
  log: (text) => console.error(text),
});
measures.listen({ event: (at, type, payload) => void events.push({ at, type, payload }) });
measures.lines((wan) => void lines.push(wan));
measures.configured(layout);
flow.configured(layout, rules);
await measures.refresh();
measures.start();
flow.start();

const orders: Record<string, (value: never) => unknown> = {
  count: async () => {
    await measures.refresh();
    await flow.count();
  },
  tell: () => flow.tell(),
  state: () => measures.state(),
  health: () => measures.health(),
  events: () => events.splice(0),
  lines: () => lines,
  sent: () => sent,
  online: (on: boolean) => {
    online = on;
    if (on) flow.online();
  },
  taken: (seq: number) => flow.taken(seq),
  memory: () => process.memoryUsage.rss(),
  stop: () => {
    flow.stop();
    measures.stop();
    process.exitCode = 0;
    setImmediate(() => process.exit());
  },
};
console.log(JSON.stringify({ answer: 'ready' }));
for await (const line of createInterface({ input: process.stdin })) {
  const [order, value] = JSON.parse(line) as [string, never];
  console.log(JSON.stringify({ answer: (await orders[order]!(value)) ?? null }));
}
