import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Answer, expectDone, type Owner, post, register } from '../../../bench/lib/client.ts';
import { root } from '../../../bench/lib/server.ts';
// @ts-expect-error a build script without types
import { buildEdge } from '../../../scripts/build-edge.mjs';
import { type Lab, startLab } from '../edge/lab.ts';
import { removeData, slowly, startConsole } from '../edge/lab-console.ts';
import { tail } from '../edge/lab-fixture.ts';
import { systemImage } from './image.ts';
import { type Machine, startMachine } from './machine.ts';

export interface Fixture {
  lab: Lab;
  machine: Machine;
  owner: Owner;
  url: string;
  devicePort: number;
  ask<T>(path: string, body: object): Promise<Answer<T>>;
  line(code: string, environment?: string): string;
  bind(): Promise<{ serial: string; gwid: string }>;
  giveVersion(version: string, change: (bundle: string) => string): Promise<void>;
  /** Cuts only the way to the console. */
  console(way: 'cut' | 'mended'): Promise<void>;
  /** Polls; only inside a test. */
  shows(serial: string, status: 'online' | 'offline'): Promise<void>;
  finished(jobId: string): Promise<{ status: string; reason: string | null }[]>;
  logText(): Promise<string>;
  stop(): Promise<void>;
}

const name = 'console.lab.example';
const files = {
  'etc/network/interfaces.d/wan': 'auto wan1\niface wan1 inet dhcp\n',
  'etc/hostname': 'box\n',
  'etc/hosts': '127.0.0.1 localhost\n127.0.1.1 box\n',
};

export async function startFixture(): Promise<Fixture> {
  const image = await systemImage();
  const stops: (() => unknown)[] = [];
  const stop = () => endAll(stops);
  try {
    const folder = mkdtempSync(join(tmpdir(), `yx${process.pid}-system-`));
    stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    const lab = await startLab({ console: true, consoleName: name, dhcpOnWans: true });
    stops.push(() => lab.stop());
    stops.push(() => removeData(join(folder, 'console')));
    const options = { dataDir: join(folder, 'console'), address: lab.console!, name };
    let ending: (() => unknown)[] = [];
    let server = await startConsole(options, ending);
    stops.push(() => endAll(ending));
    const machine = await startMachine({ image, namespace: `${lab.prefix}gw`, folder: join(folder, 'machine'), files });
    stops.push(() => machine.stop());
    const owner = await register(server.url, join(folder, 'console'));
    const ask: Fixture['ask'] = (path, body) => expectDone(post(server.url, path, body, owner.token));
    const line: Fixture['line'] = (code, environment = '') =>
      `curl -fsS ${server.publicUrl}/enroll.sh | ${environment} sh -s -- ${code}`;
    return {
      lab,
      machine,
      owner,
      url: server.publicUrl,
      devicePort: server.ports[1],
      ask,
      line,
      stop,
      async giveVersion(version, change) {
        const build = await otherBuild(join(folder, version), version, change);
        await endAll(ending);
        ending = [];
        server = await startConsole({ ...options, build, ports: server.ports }, ending);
      },
      async bind() {
        await machine.run(line(owner.bindingCode, 'ENROLL_INSTALL=1'));
        const { list } = (
          await ask<{ list: { serial: string; gwid: string }[] }>('/api/v3/ap/list', { kind: 'gateway', limit: 10 })
        ).data;
        expect(list).toHaveLength(1);
        // it enrols from another address than the owner's
        await ask('/api/v3/device/confirm', { serials: list.map(({ serial }) => serial) });
        return list[0]!;
      },
      async console(way) {
        await lab.run('net', 'ip', 'link', 'set', 'host', way === 'cut' ? 'down' : 'up');
      },
      async shows(serial, status) {
        const now = async () => (await ask<{ status: string }>('/api/v3/ap/detail', { serial })).data.status;
        await expect.poll(now, slowly).toBe(status);
      },
      async finished(job_id) {
        type Items = { items: { status: string; reason: string | null }[] };
        const items = async () => (await ask<Items>('/api/v3/job/detail', { job_id })).data.items;
        const waits = ['queued', 'waiting_offline', 'running'];
        await expect.poll(async () => (await items()).filter((one) => waits.includes(one.status)), slowly).toEqual([]);
        return (await items()).map(({ status, reason }) => ({ status, reason }));
      },
      logText: async () =>
        `${await machine.logText()}\nthe console:\n${tail(server.output(), 30)}\n${await lab.logText()}`,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function endAll(stops: (() => unknown)[]): Promise<void> {
  for (const each of stops.splice(0).toReversed()) await each();
}

async function otherBuild(folder: string, version: string, change: (bundle: string) => string): Promise<string> {
  const from = process.env.E2E_BUILD ?? root;
  for (const part of ['server', 'edge', 'web']) mkdirSync(join(folder, 'packages', part), { recursive: true });
  cpSync(join(from, 'packages/server/dist'), join(folder, 'packages/server/dist'), { recursive: true });
  cpSync(join(from, 'packages/server/package.json'), join(folder, 'packages/server/package.json'));
  symlinkSync(join(from, 'packages/web/dist'), join(folder, 'packages/web/dist'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const edge = join(folder, 'packages/edge/dist');
  await buildEdge(version, edge);
  const bundle = join(edge, 'yunxun-edge.mjs');
  const [before, after] = [readFileSync(bundle, 'utf8'), change(readFileSync(bundle, 'utf8'))];
  if (before === after) throw new Error(`version ${version} is no different`);
  writeFileSync(bundle, after);
  return folder;
}
