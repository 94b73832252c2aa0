import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidates, occupied, type PlanRadio, propose, radiosHeard, weightOf } from './propose.ts';

const radio = (serial: string, channel: number | null, more: Partial<PlanRadio> = {}): PlanRadio => ({
  serial,
  band: '2G',
  channel,
  width: 20,
  power: 'high',
  allowed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  channelLocked: false,
  powerLocked: false,
  heard: [],
  ...more,
});
const hears = (...serials: [string, number][]) => serials.map(([serial, signal]) => ({ serial, channel: 1, signal }));

describe('a plan', () => {
  it('sets radios apart that hear each other', () => {
    const plan = propose([
      radio('a', 1, { heard: hears(['b', -55], ['c', -55]) }),
      radio('b', 1, { heard: hears(['a', -55], ['c', -55]) }),
      radio('c', 1, { heard: hears(['a', -55], ['b', -55]) }),
    ]);
    const channels = new Map(plan.map(({ serial, toChannel }) => [serial, toChannel]));
    expect(new Set(['a', 'b', 'c'].map((serial) => channels.get(serial) ?? 1)).size).toBe(3);
    expect(plan.every(({ gain }) => gain > 0)).toBe(true);
  });

  it('leaves radios that interfere with no other unchanged', () => {
    expect(propose([radio('a', 6, { heard: hears(['b', -95]) }), radio('b', 6, { heard: hears(['a', -95]) })])).toEqual(
      [],
    );
    expect(propose([radio('a', 1), radio('b', 6), radio('c', 11)])).toEqual([]);
  });

  it('goes out of the way of strangers', () => {
    const loud = [
      { serial: null, channel: 6, signal: -45 },
      { serial: null, channel: 11, signal: -60 },
    ];
    expect(propose([radio('a', 6, { heard: loud })])).toMatchObject([{ fromChannel: 6, toChannel: 1, gain: 100 }]);
  });

  it('does not touch what is locked, and uses what is allowed', () => {
    const loud = [{ serial: null, channel: 6, signal: -45 }];
    expect(propose([radio('a', 6, { heard: loud, channelLocked: true })])).toEqual([]);
    expect(propose([radio('a', 6, { heard: loud, allowed: [6, 11] })])).toMatchObject([{ toChannel: 11 }]);
  });

  it('has radios that stand close speak one step more softly, unless that is locked', () => {
    const close = hears(['b', -50], ['c', -52], ['d', -58]);
    const others = ['b', 'c', 'd'].map((serial, at) => radio(serial, [6, 11, 1][at]!, { channelLocked: true }));
    const only = (more: Partial<PlanRadio>) =>
      propose([radio('a', 1, { heard: close, channelLocked: true, ...more }), ...others]).map(({ toPower }) => toPower);
    expect(only({})).toEqual(['medium']);
    expect(only({ power: 'low' })).toEqual([]);
    expect(only({ powerLocked: true })).toEqual([]);
  });
});

describe('channels of 5 GHz', () => {
  it('are blocks of the width', () => {
    expect(occupied('5G', 44, 80)).toEqual([36, 48]);
    expect(occupied('5G', 157, 80)).toEqual([149, 161]);
    expect(occupied('5G', 40, 40)).toEqual([36, 40]);
    const allowed = [36, 40, 44, 48, 149, 153, 157, 161, 165];
    expect(candidates({ band: '5G', allowed, width: 80 })).toEqual([36, 149]);
    expect(candidates({ band: '5G', allowed, width: 40 })).toEqual([36, 44, 149, 157]);
    expect(candidates({ band: '5G', allowed: [36, 40, 44], width: 80 })).toEqual([]);
  });
});

describe('whatever is heard', () => {
  const serials = ['a', 'b', 'c', 'd', 'e', 'f'];
  const radios = fc.array(
    fc.record({
      channel: fc.option(fc.constantFrom(1, 6, 11, 3)),
      heard: fc.array(
        fc.record({
          serial: fc.option(fc.constantFrom(...serials)),
          channel: fc.constantFrom(1, 6, 11, 13),
          signal: fc.integer({ min: -100, max: -30 }),
        }),
        { maxLength: 6 },
      ),
      channelLocked: fc.boolean(),
      powerLocked: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  const made = radios.map((list) => list.map((one, at) => radio(serials[at]!, one.channel, one)));

  it('the order of the radios changes nothing', () => {
    fc.assert(
      fc.property(made, fc.integer(), (list, turn) => {
        const turned = list.map((_, at) => list[(((at + turn) % list.length) + list.length) % list.length]!);
        expect(propose(turned)).toEqual(propose(list));
      }),
    );
  });

  it('every change is allowed, is one, and is no worse for strangers’ noise', () => {
    fc.assert(
      fc.property(made, (list) => {
        for (const change of propose(list)) {
          const of = list.find(({ serial }) => serial === change.serial)!;
          if (of.channelLocked) expect(change.toChannel).toBe(of.channel);
          if (change.toChannel !== of.channel) expect(candidates(of)).toContain(change.toChannel);
          expect(change.toChannel !== of.channel || change.toPower !== of.power).toBe(true);
          expect(change.gain).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('a weight is between nothing and everything', () => {
    fc.assert(
      fc.property(fc.integer({ min: -200, max: 50 }), (signal) => {
        expect(weightOf(signal)).toBeGreaterThanOrEqual(0);
        expect(weightOf(signal)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('a radio with several SSIDs is one, as loud as the loudest of them', () => {
    const entry = (bssid: string, serial: string | null, signal: number) => ({ bssid, serial, channel: 1, signal });
    const entries = [
      entry('90:3c:b3:00:00:10', 'a', -60),
      entry('92:3c:b3:00:00:11', 'a', -55),
      entry('90:3c:b3:00:00:12', 'a', -70),
      entry('28:57:be:00:00:20', null, -80),
      entry('2a:57:be:00:00:21', null, -78),
      entry('28:57:be:00:01:20', null, -81),
    ];
    expect(radiosHeard(entries)).toEqual([
      { serial: 'a', channel: 1, signal: -55 },
      { serial: null, channel: 1, signal: -78 },
      { serial: null, channel: 1, signal: -81 },
    ]);
    expect(propose([radio('b', 1, { heard: radiosHeard(entries) })])[0]?.toPower ?? 'high').toBe('high');
  });
});
