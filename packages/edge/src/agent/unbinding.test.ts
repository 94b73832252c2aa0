import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeBoundMethod, edgeUnboundMethod, unboundTimes } from '@yunxun/contract/device';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentFirmware } from '../firmware.ts';
import { type Rig, settled, startRig, TestAuthority } from '../testing/index.ts';
import { Unbinding } from './unbinding.ts';

const minute = 60_000;
let rig: Rig;
let folder: string;
let acts: string[];
let gone: boolean;
let unbinding: Unbinding;
/** Status of refused upgrades; null: admitted. */
let status: number | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-unbound-'));
  [acts, gone, status] = [[], true, null];
});
afterEach(async () => {
  await rig.stop();
  rmSync(folder, { recursive: true });
});

function begin(ca = rig.identity.ca): Unbinding {
  return new Unbinding({
    clock: rig.clock,
    random: () => 0.5,
    stateFolder: folder,
    ca,
    log: () => {},
    takeDown: async () => {
      acts.push('down');
      return gone;
    },
    bringBack: async () => void acts.push('back'),
    discard: async () => void acts.push('discard'),
  });
}

async function start(options: Parameters<typeof startRig>[0] = {}): Promise<void> {
  rig = await startRig(
    {
      firmware: agentFirmware,
      pace: (end) => unbinding.pace(end),
      onCommand: (method, params) => unbinding.onCommand(method, params),
      observer(change) {
        rig.changes.push(change);
        if (change.change === 'online') unbinding.online();
        if (change.change === 'offline') unbinding.offline(change.end);
      },
      ...options,
    },
    { upgrade: () => status },
  );
  unbinding = begin();
}

const offlines = () => rig.changes.flatMap((change) => (change.change === 'offline' ? [change] : []));

/** Reconnects until `over`, at most once per `atLeast` milliseconds; returns the waits. */
async function reconnect(over: (waited: number) => boolean, atLeast = 0): Promise<number[]> {
  const waits: number[] = [];
  for (let waited = 0; !over(waited); ) {
    const seen = offlines().length;
    const wait = Math.max(offlines().at(-1)?.retryIn ?? 0, atLeast);
    rig.clock.advance(wait);
    await settled(() => offlines().length > seen);
    await unbinding.idle;
    waits.push(wait);
    waited += wait;
  }
  return waits;
}

async function unbindInSession(): Promise<void> {
  const session = await rig.connected();
  status = 410;
  session.raw({ jsonrpc: '2.0', method: edgeUnboundMethod, params: { serial: rig.system.serial } });
  await session.command('ping', {});
  session.socket.close(1008, 'unbound');
  await settled(() => offlines().length > 0);
}

it('takes down after half an hour of the console’s own word, and asks once an hour at most from then on', async () => {
  await start();
  await unbindInSession();
  const waits = await reconnect(() => unbinding.quiet);
  expect(acts).toEqual(['down']);
  const [first = 0, ...rest] = waits;
  expect(first).toBeLessThan(10_000);
  const total = rest.reduce((sum, wait) => sum + wait, first);
  expect(total).toBeGreaterThanOrEqual(30 * minute);
  expect(total).toBeLessThan(32 * minute);
  expect(Math.max(...rest)).toBeLessThanOrEqual(minute);
  const later = await reconnect((waited) => waited > 180 * minute);
  expect(Math.min(...later.slice(1))).toBeGreaterThanOrEqual(30 * minute);
  expect(Math.max(...later)).toBeLessThanOrEqual(60 * minute);
  expect(acts).toEqual(['down']);
  expect(begin().quiet).toBe(true);
});

it('takes nothing down for a console that does not know the device, as one of an old backup', async () => {
  await start();
  const session = await rig.connected();
  status = 403;
  session.socket.terminate();
  await settled(() => offlines().length > 0);
  await reconnect((waited) => waited > 60 * minute, minute);
  expect([acts, unbinding.quiet]).toEqual([[], false]);
});

it('takes nothing down for another authority that says the same', async () => {
  await start();
  rig.client.stop('lost');
  rig.client.show({ ...rig.identity, ca: new TestAuthority().certificate });
  status = 410;
  await rig.client.start('coldboot');
  await settled(() => offlines().length > 0);
  await reconnect((waited) => waited > 60 * minute, minute);
  expect(acts).toEqual([]);
  expect(offlines().every(({ end }) => end.unbound === undefined)).toBe(true);
});

it.each<[string, () => Promise<void>]>([
  ['a session in between', async () => unbinding.online()],
  ['a silence of more than five minutes', async () => rig.clock.advance(unboundTimes.gap + 1)],
])('starts again after %s', async (_what, between) => {
  await start();
  const word = () => unbinding.offline({ kind: 'failed', detail: '410', unbound: true });
  const words = (minutes: number) => {
    for (let at = 0; at <= minutes; at += 1) {
      word();
      if (at < minutes) rig.clock.advance(minute);
    }
  };
  words(29);
  await between();
  words(29);
  await unbinding.idle;
  expect(acts).toEqual([]);
  rig.clock.advance(minute);
  word();
  await unbinding.idle;
  expect(acts).toEqual(['down']);
});

it('tries again at the next word when not everything could be taken down', async () => {
  await start();
  gone = false;
  await unbindInSession();
  await reconnect(() => acts.length > 0);
  expect([unbinding.quiet, begin().quiet]).toEqual([false, false]);
  gone = true;
  await reconnect(() => unbinding.quiet);
  expect(acts).toEqual(['down', 'down']);
});

it.each<[string, { same: boolean; ca?: string }, string]>([
  ['the account that unbound it', { same: true }, 'back'],
  ['another account', { same: false }, 'discard'],
  ['another console', { same: true, ca: 'another authority' }, 'discard'],
])('bound by %s, brings back or discards', async (_who, { same, ca }, act) => {
  await start();
  await unbindInSession();
  await reconnect(() => unbinding.quiet);
  // the enrolment restarts the agent
  unbinding = begin(ca);
  expect(unbinding.quiet).toBe(true);
  status = null;
  const opened = rig.console.connected();
  rig.clock.advance(60 * minute);
  const session = await opened;
  session.raw({ jsonrpc: '2.0', method: edgeBoundMethod, params: { serial: rig.system.serial, same } });
  await session.command('ping', {});
  await unbinding.idle;
  expect(acts).toEqual(['down', act]);
  expect([unbinding.quiet, begin().quiet]).toEqual([false, false]);
});
