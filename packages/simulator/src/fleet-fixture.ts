import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestConsole, type TestSession } from '@yunxun/edge/testing';
import { afterEach } from 'vitest';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { wirelessDocument } from './testing.ts';

/** Starts fleets at a console of their own, and ends both after each test. */
export function fleetFixture() {
  let testConsole: TestConsole;
  const closers: (() => void | Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function open(options?: Parameters<typeof TestConsole.start>[0]): Promise<TestConsole> {
    testConsole = await TestConsole.start(options);
    closers.push(() => testConsole.stop());
    return testConsole;
  }

  async function startAgain(options: Partial<FleetOptions> = {}): Promise<Fleet> {
    const place = { consoleUrl: testConsole.url, bindingCode: 'CODE', seed: 'fleet', speedUp: 300 };
    const fleet = await startFleet({ ...place, ...options });
    closers.push(() => fleet.stop());
    return fleet;
  }

  async function start(options: Partial<FleetOptions> = {}): Promise<Fleet> {
    await open();
    const fleet = await startAgain(options);
    await fleet.online();
    return fleet;
  }

  async function one(
    options: Partial<FleetOptions> = {},
  ): Promise<{ serial: string; session: TestSession; fleet: Fleet }> {
    const fleet = await start({ aps: 1, ...options });
    const [session] = testConsole.sessions;
    if (session === undefined) throw new Error('no session');
    await session.message('connect');
    return { serial: session.commonName, session, fleet };
  }

  return {
    get console() {
      return testConsole;
    },
    open,
    start,
    startAgain,
    one,
    onEnd: (close: () => void | Promise<void>) => void closers.push(close),
    folder(): string {
      const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
      closers.push(() => rmSync(folder, { recursive: true }));
      return folder;
    },
  };
}

export const configure = (session: TestSession, uuid: number, names: readonly string[] = ['Corp']) =>
  session.command('configure', { uuid, config: wirelessDocument(uuid, names) });
