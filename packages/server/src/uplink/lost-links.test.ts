import { expect, it } from 'vitest';
import { createLocalBus } from '../platform/bus/index.ts';
import { silentLog } from '../platform/log.ts';
import { watchLostLinks } from './lost-links.ts';
import { nodeSubject } from './subjects.ts';

it('takes a gateway for gone when it was missed twice in a row', async () => {
  const bus = createLocalBus(() => undefined);
  const reported: string[] = [];
  const closed: string[] = [];
  const look = watchLostLinks({
    bus,
    log: silentLog(),
    handlers: { disconnected: async ({ serial }: { serial: string }) => void reported.push(serial) } as never,
    links: {
      nodes: async () => ['one', 'two'].filter((node) => !closed.includes(node)),
      async closeNode(node) {
        closed.push(node);
        return [{ accountId: 'a', serial: `of-${node}`, epoch: 1, node, lastFrameAt: new Date(0) }];
      },
    },
  });
  bus.respond(nodeSubject('two'), async () => true);
  await look();
  expect(closed).toEqual([]);
  // missed only once
  const leave = bus.respond(nodeSubject('one'), async () => true);
  await look();
  leave();
  await look();
  expect(closed).toEqual([]);
  await look();
  expect([closed, reported]).toEqual([['one'], ['of-one']]);
});
