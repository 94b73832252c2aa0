import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsOf, plainAncestors } from './ancestors.ts';
import { evaluate } from './evaluate.ts';
import type { Incident } from './facts.ts';
import { keyOf, type ProblemPeriod } from './problem-periods.ts';
import { rulesFrom } from './rules.ts';
import type { UplinkGroup } from './shared-uplinks.ts';
import { standardRules } from './standard-rules.ts';
import {
  back,
  brief,
  call,
  clock,
  detail,
  devices,
  gwid,
  list,
  lose,
  pass,
  query,
  rule,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';
import { events, hook, resetHook, run, save, startHook } from './testing/notify.ts';

const minute = 60_000;
const rules = rulesFrom(standardRules());
const here = 'n1';
const gatewayKey = keyOf({ kind: 'gateway_offline', serial: 'gw', part: '', gwid: here });

function away(serial: string, began: number, ended: number | null): ProblemPeriod {
  return {
    kind: serial === 'gw' ? 'gateway_offline' : 'ap_offline',
    serial,
    part: '',
    gwid: here,
    groupId: null,
    began: began * minute,
    ended: ended === null ? null : ended * minute,
    quietUntil: null,
    excused: false,
    value: null,
    clients: 2,
  };
}

const port: UplinkGroup = { gwid: here, parent: 'sw', part: 'lan3', members: ['a', 'b', 'c'] };
const wide: UplinkGroup = { gwid: here, parent: 'sw', part: '', members: ['a', 'b', 'c', 'd'] };

let ids = 0;

function at(
  now: number,
  known: readonly ProblemPeriod[],
  groups: readonly UplinkGroup[],
  incidents: readonly Incident[],
): Incident[] {
  const plain = plainAncestors({ gateways: new Map([[here, gatewayKey]]) });
  const { shared, ancestorsOf } = connectionsOf({ plain, above: new Map(), groups, away: known });
  return evaluate({
    now: now * minute,
    rules,
    periods: [...known, ...shared],
    uncovered: [],
    openSince: 0,
    held: new Set(),
    incidents,
    isCovered: () => true,
    ancestorsOf,
    windowEnd: () => null,
    activeFrom: (_kind, from) => from,
    newId() {
      ids += 1;
      return String(ids);
    },
  }).incidents;
}

/** Evaluates every minute with what is known by then. */
function minutely(
  until: number,
  periods: readonly ProblemPeriod[],
  groups: readonly UplinkGroup[] = [port],
): Incident[] {
  let incidents: Incident[] = [];
  for (let now = 0; now <= until; now += 1) {
    const known = periods
      .filter(({ began }) => began <= now * minute)
      .map((period) => (period.ended !== null && period.ended > now * minute ? { ...period, ended: null } : period));
    incidents = at(now, known, groups, incidents);
  }
  return incidents;
}
const reportOf = (incidents: readonly Incident[]) =>
  incidents
    .map(({ kind, serial, began, last, recovered, count, cause }) => ({
      kind,
      serial,
      began,
      last,
      recovered,
      count,
      caused: cause !== null,
    }))
    .toSorted((x, y) => `${x.kind} ${x.serial} ${x.began}`.localeCompare(`${y.kind} ${y.serial} ${y.began}`));
const top = (incidents: readonly Incident[]) => incidents.filter(({ cause }) => cause === null);

describe('devices behind one port', () => {
  it('make one incident and one recovery in any order in which their loss is noticed within the tolerance', () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 4 * 60 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(seconds, (noticed) => {
        const periods = ['a', 'b', 'c'].map((serial, n) =>
          away(serial, 10 + noticed[n]! / 60, 40 + noticed[n + 3]! / 60),
        );
        const during = minutely(30, periods);
        expect(top(during)).toMatchObject([{ kind: 'uplink_lost', serial: 'sw', part: 'lan3', devicesHit: 3 }]);
        expect(during.filter(({ cause }) => cause)).toHaveLength(3);
        const after = minutely(60, periods);
        expect(top(after)).toMatchObject([{ kind: 'uplink_lost', state: 'recovered', count: 1 }]);
      }),
    );
  });

  it('make the same incidents every minute as once at the end, in any order of the facts', () => {
    const stretches = (serial: string) =>
      fc
        .array(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 25 })), { maxLength: 4 })
        .map((pairs) => {
          let at = 0;
          return pairs.map(([gap, length]) => {
            const began = at + gap;
            at = began + length;
            return away(serial, began, at);
          });
        });
    const history = fc.tuple(...['gw', 'a', 'b', 'c'].map(stretches)).map((each) => each.flat());
    const orders = history.chain((periods) =>
      fc.tuple(fc.constant(periods), fc.shuffledSubarray(periods, { minLength: periods.length })),
    );
    fc.assert(
      fc.property(orders, ([periods, shuffled]) => {
        const once = reportOf(at(200, shuffled, [port], []));
        expect(reportOf(minutely(200, periods))).toEqual(once);
      }),
      { numRuns: 50 },
    );
  });

  it('are alarms of their own if one of them stays online, or the others were lost long before', () => {
    expect(top(minutely(30, [away('a', 10, null), away('b', 11, null)])).map(({ kind }) => kind)).toEqual([
      'ap_offline',
      'ap_offline',
    ]);
    const apart = top(minutely(60, [away('a', 1, null), away('b', 20, null), away('c', 40, null)]));
    expect(apart.map(({ kind }) => kind)).toEqual(['ap_offline', 'ap_offline', 'ap_offline']);
  });

  it('belong to their gateway while it is offline too, and to their port if they stay away', () => {
    const lost = ['a', 'b', 'c'].map((serial) => away(serial, 11, null));
    const during = minutely(30, [away('gw', 10, null), ...lost]);
    expect(top(during)).toMatchObject([{ kind: 'gateway_offline', devicesHit: 4 }]);
    expect(during.some(({ kind }) => kind === 'uplink_lost')).toBe(false);
    const after = top(minutely(60, [away('gw', 10, 30), ...lost]));
    expect(after.filter(({ recovered }) => recovered === null)).toMatchObject([{ kind: 'uplink_lost', devicesHit: 3 }]);
  });

  it('belong to the whole switch if all its access points are lost', () => {
    const lost = ['a', 'b', 'c', 'd'].map((serial, n) => away(serial, 10 + n, null));
    const incidents = minutely(40, lost, [port, wide]);
    expect(incidents.filter(({ kind }) => kind === 'uplink_lost')).toMatchObject([{ part: '', devicesHit: 4 }]);
    expect(top(incidents)).toHaveLength(1);
  });
});

describe('three access points behind one port of a switch that stays online', () => {
  beforeAll(startFixture);
  beforeAll(startHook);
  afterAll(async () => {
    await stopFixture();
    await hook.stop();
  });

  const report = (serial: string, macs: Record<string, readonly string[]>) =>
    query('update device_latest set links = $2, links_at = $3 where serial = $1', [
      serial,
      JSON.stringify({ lldp: [], ports: [{ name: 'up', up: true, carrier: true, speed: 1000 }], macs, own: [] }),
      clock.now(),
    ]);

  async function connected() {
    const [gateway] = await devices('gateway', 1);
    const [sw] = await devices('switch', 1);
    const aps = await devices('ap', 3);
    await report(gateway!, { lan1: [sw!, ...aps] });
    await report(sw!, { lan3: aps });
    return { gateway, sw, aps };
  }

  it('are one alarm with one notice and one recovery, though the switch forgets their addresses', async () => {
    resetHook();
    await start();
    await save();
    const { gateway, sw, aps } = await connected();
    await run(2);
    await lose([aps[0]!]);
    await run(1);
    await lose(aps.slice(1));
    await run(1);
    await report(gateway!, { lan1: [sw!] });
    await report(sw!, {});
    await run(8);
    expect(brief(await list())).toEqual([{ kind: 'uplink_lost', state: 'firing', count: 1, hit: 3 }]);
    const [alarm] = await list();
    expect(alarm).toMatchObject({ serial: sw, part: 'lan3', clients_hit: 9, gwid });
    expect((await detail(alarm!.id)).children.map(({ serial }) => serial).toSorted()).toEqual(aps.toSorted());
    await back(aps);
    await run(2);
    expect(await list()).toEqual([]);
    expect(events()).toEqual([['opened uplink_lost'], ['recovered uplink_lost']]);
  });

  it('are one only after maintenance, also if none of them alone is an alarm', async () => {
    await start();
    await call('alarm_rule/save', rule({ enabled: false }));
    await call('alarm_rule/save', rule({ kind: 'uplink_lost' }));
    const { aps } = await connected();
    await call('network/maintenance/create', { gwids: [gwid], minutes: 15 });
    await pass(8);
    await lose(aps);
    await pass(6);
    expect(await list()).toEqual([]);
    await pass(3);
    expect(brief(await list())).toEqual([{ kind: 'uplink_lost', state: 'firing', count: 1, hit: 3 }]);
  });
});
