import { expect, it } from 'vitest';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { UnbindRegistry, type Unbound } from './unbind.ts';

const tx = {} as Tx;
const acting = { accountId: 'a' } as Acting;
const gone: Unbound = { acting, accountId: 'a', gwid: 'g', serials: ['903cb3000001'], at: new Date() };

it('calls every feature in the same transaction, sums their results, and omits empty ones', async () => {
  const registry = new UnbindRegistry();
  const asked: unknown[] = [];
  const remover = (count: number) => async (inTx: Tx, unbound: Unbound) => {
    asked.push([inTx === tx, unbound]);
    return count;
  };
  registry.join({ part: 'backup', remove: remover(3) });
  registry.join({ part: 'alarm', remove: remover(0) });
  registry.join({ part: 'backup', remove: remover(2) });
  expect(await registry.remove(tx, gone)).toEqual([{ part: 'backup', count: 5 }]);
  expect(asked).toEqual([
    [true, gone],
    [true, gone],
    [true, gone],
  ]);
});

it('fails as a whole when one cannot remove its share', async () => {
  const registry = new UnbindRegistry();
  registry.join({
    part: 'hosting',
    remove: async () => {
      throw new Error('not now');
    },
  });
  await expect(registry.remove(tx, gone)).rejects.toThrow('not now');
});
