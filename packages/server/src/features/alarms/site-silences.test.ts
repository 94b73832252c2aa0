import type { alarmSilences as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as fixture from './testing/fixture.ts';
import { events, hook, resetHook, run, save, startHook } from './testing/notify.ts';

const { back, call, clock, counts, detail, devices, list, lose, minute } = fixture;

beforeAll(async () => {
  await fixture.startFixture();
  await startHook();
});
afterAll(async () => {
  await fixture.stopFixture();
  await hook.stop();
});
beforeEach(async () => {
  await fixture.start();
  resetHook();
});

const silence = (input: object) =>
  call<DataOf<typeof contract.siteSilenceSave>>('alarm_silence/save', { gwid: fixture.gwid, ...input });
const current = async () =>
  (await call<DataOf<typeof contract.siteSilence>>('alarm_silence/detail', { gwid: fixture.gwid })).silence;
const actions = async () =>
  (await call<{ list: { action: string }[] }>('log/action/list', { limit: 5 })).list.map(({ action }) => action);

it('silences the open and the coming alarms of a network, ends by itself and says so', async () => {
  await save();
  const [open, coming] = await devices('ap', 3);
  await lose([open!]);
  await run(6);
  expect(events()).toEqual([['opened ap_offline']]);
  expect(await silence({ minutes: 60, note: 'works' })).toMatchObject({ changed: 1, silence: { note: 'works' } });
  await lose([coming!]);
  await run(8);
  expect((await list({ limit: 50 })).map(({ state }) => state)).toEqual(['silenced', 'silenced']);
  expect(await counts()).toMatchObject({ active: 0, silenced: 2 });
  expect(events()).toHaveLength(1);
  clock.advance(55 * minute);
  await run(2);
  expect(await current()).toBeNull();
  expect(await counts()).toMatchObject({ active: 2, silenced: 0 });
  expect(events().slice(1).flat()).toEqual(['silence_ended ap_offline', 'silence_ended ap_offline']);
  const [alarm] = await list({ keyword: 'works' });
  expect((await detail(alarm!.id)).timeline.map(({ type }) => type)).toEqual(['silence_ended', 'silenced', 'opened']);
  expect(await actions()).toEqual(expect.arrayContaining(['alarm.site_silence', 'alarm.site_silence_ended']));
  const inbox = await call<{ list: object[] }>('message/list', { type: 'alarm' });
  expect(inbox.list).toMatchObject([{ template: 'siteSilenceEnded', params: { network: 'West-Lake' } }]);
});

it('says nothing of an alarm that opens and recovers in the silence, and leaves other networks alone', async () => {
  await save();
  const other = await fixture.network('East-Gate');
  const [here] = await devices('ap', 2);
  const [there] = await devices('ap', 2, other);
  await silence({ until: new Date(clock.now().getTime() + 60 * minute).toISOString() });
  await lose([here!, there!]);
  await run(6);
  expect(events()).toEqual([['opened ap_offline']]);
  expect((await list({ gwid: other })).map(({ state }) => state)).toEqual(['firing']);
  await back([here!]);
  await run(2);
  expect(events()).toHaveLength(1);
});

it('ends by hand, but not the silence that an alarm has of its own', async () => {
  const [one, two] = await devices('ap', 3);
  await lose([one!, two!]);
  await run(6);
  await silence({ minutes: 600 });
  const [first, second] = await list();
  await call('alarm/silence', { ids: [first!.id], minutes: 30 });
  await call('alarm_silence/end', { gwid: fixture.gwid });
  expect(await current()).toBeNull();
  const states = new Map((await list()).map(({ id, state }) => [id, state]));
  expect(states.get(first!.id)).toBe('silenced');
  expect(states.get(second!.id)).toBe('firing');
  expect((await actions())[0]).toBe('alarm.site_silence_end');
});

it('silences several networks at once, with one row in the log, and no others', async () => {
  await save();
  const [east, south] = [await fixture.network('East-Gate'), await fixture.network('South-Gate')];
  const [here] = await devices('ap', 2);
  const [there] = await devices('ap', 2, south);
  await lose([here!, there!]);
  await run(6);
  const gwids = [fixture.gwid, east];
  const silenced = await call<DataOf<typeof contract.siteSilenceCreate>>('alarm_silence/create', {
    gwids,
    minutes: 60,
    note: 'works',
  });
  expect(new Map(silenced.list.map(({ name, alarms }) => [name, alarms]))).toEqual(
    new Map([
      ['West-Lake', 1],
      ['East-Gate', 0],
    ]),
  );
  expect(await current()).toMatchObject({ until: silenced.until, note: 'works' });
  const states = new Map((await list()).map(({ network, state }) => [network, state]));
  expect(states).toEqual(
    new Map([
      ['West-Lake', 'silenced'],
      ['South-Gate', 'firing'],
    ]),
  );
  const log = await call<{ list: object[] }>('log/action/list', { limit: 5 });
  expect(log.list.filter((row) => 'action' in row && row.action === 'alarm.site_silence')).toMatchObject([
    { object: { type: 'selection' }, after: { gwids: expect.arrayContaining(gwids), note: 'works', alarms: 1 } },
  ]);
});

it('refuses a silence without an end and one in the past', async () => {
  const refused = (input: object) =>
    fixture.server.call('/api/v3/alarm_silence/save', { gwid: fixture.gwid, ...input }, fixture.owner);
  expect(await refused({})).toMatchObject({ errors: { minutes: [expect.any(String)] } });
  expect(await refused({ until: new Date(0).toISOString() })).toMatchObject({
    errors: { until: [expect.any(String)] },
  });
});
