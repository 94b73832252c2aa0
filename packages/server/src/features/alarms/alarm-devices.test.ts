import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  back,
  call,
  counts,
  detail,
  devices,
  gwid,
  list,
  lose,
  network,
  pass,
  query,
  rule,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';
import { events, hook, save, send, startHook } from './testing/notify.ts';

beforeAll(async () => {
  await startFixture();
  await startHook();
});
afterAll(async () => {
  await stopFixture();
  await hook.stop();
});

describe('an alarm', () => {
  it('is one of its own once the device that caused it is unbound', async () => {
    await start();
    await save();
    const [router] = await devices('gateway', 1);
    const aps = await devices('ap', 3);
    await pass(10);
    await lose([router!, ...aps.slice(0, 2)]);
    await pass(8);
    expect(await list()).toMatchObject([{ kind: 'gateway_offline', devices_hit: 3 }]);
    await back([aps[0]!]);
    await pass(1);
    await call('ap/unbind', { serials: [router] });
    const own = await list({ state: 'all' });
    expect(own.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'ap_offline firing',
      'ap_offline recovered',
    ]);
    const open = own.find(({ state }) => state === 'firing')!;
    expect(await detail(open.id)).toMatchObject({ cause: null, timeline: [{ type: 'unfolded' }, {}, {}] });
    await pass(2);
    expect(await list()).toMatchObject([{ id: open.id }]);
    await send();
    expect(events()).toEqual([['opened gateway_offline'], ['opened ap_offline']]);
  });

  it('goes to the replacement of its device, with its history', async () => {
    await start();
    const [broken] = await devices('ap', 2);
    const spare = await network('Store');
    const [fresh] = await devices('ap', 1, spare);
    await pass(10);
    await lose([broken!]);
    await pass(7);
    await back([broken!]);
    await pass(12);
    await lose([broken!]);
    await pass(7);
    const before = await list({ state: 'all' });
    expect(before.map(({ state }) => state).toSorted()).toEqual(['firing', 'recovered']);
    await call('ap/replace', { serial: broken, by: fresh });
    await pass(1);
    const after = await list({ state: 'all' });
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    for (const one of after) expect(one).toMatchObject({ serial: fresh, gwid, state: 'recovered' });
  });

  it('closes for the old device what its replacement has open too', async () => {
    await start();
    const [broken] = await devices('ap', 2);
    const [fresh] = await devices('ap', 1, await network('Store'));
    await query(`update device set sync_state = 'failed', sync_since = bound_at where serial = any($1)`, [
      [broken, fresh],
    ]);
    await pass(1);
    expect(await list()).toHaveLength(2);
    await call('ap/replace', { serial: broken, by: fresh });
    expect(await list({ state: 'firing' })).toMatchObject([{ serial: fresh }]);
    expect(await list({ state: 'recovered' })).toMatchObject([{ serial: fresh }]);
  });

  it('is in the list if its cause was closed by hand before it opened', async () => {
    await start();
    const [router] = await devices('gateway', 1);
    const [ap] = await devices('ap', 2);
    await call('alarm_rule/save', rule({ tolerance: 600 }));
    await pass(10);
    await lose([router!, ap!]);
    await pass(4);
    const [cause] = await list();
    expect(cause).toMatchObject({ kind: 'gateway_offline' });
    await call('alarm/resolve', { ids: [cause!.id] });
    await pass(8);
    expect(await list()).toMatchObject([{ serial: ap, state: 'firing' }]);
    expect(await counts()).toMatchObject({ active: 1 });
  });
});
