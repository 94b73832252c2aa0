import { randomInt } from 'node:crypto';
import { type Answer, expectDone, type Owner, post, register } from '../lib/client.ts';
import { pause } from '../lib/stats.ts';
import type { Ledger } from './ledger.ts';

export interface KillFixture {
  url: string;
  dataDir: string;
  owner: Owner;
  serials: readonly string[];
}

/** Delay after a failure, in milliseconds. */
const breath = 50;
/** Interval of reboots, in milliseconds. */
const betweenReboots = 900;

export async function startWriters(fixture: KillFixture, ledger: Ledger): Promise<{ stop(): Promise<void> }> {
  const { owner, serials, url } = fixture;
  const gwid = await networkOf(fixture);
  let stopped = false;
  const over = () => stopped;
  const call = async (path: string, body: unknown) => post<Record<string, unknown>>(url, path, body, owner.token);
  const work = [
    repeat(over, () => createNetwork(ledger, call)),
    repeat(over, () => renameNetwork(ledger, call)),
    repeat(over, () => registerPerson(fixture, ledger)),
    repeat(over, () => changeWifi(ledger, call, gwid)),
    repeat(over, async () => {
      await pause(betweenReboots);
      return rebootOne(ledger, call, serials[randomInt(serials.length)] as string);
    }),
  ];
  return {
    async stop() {
      stopped = true;
      await Promise.all(work);
    },
  };
}

type Call = (path: string, body: unknown) => Promise<Answer<Record<string, unknown>>>;

async function repeat(over: () => boolean, work: () => Promise<boolean>): Promise<void> {
  while (!over()) if (!(await work())) await pause(breath);
}

let made = 0;

function createNetwork(ledger: Ledger, call: Call): Promise<boolean> {
  made += 1;
  const remark = `net-${made}`;
  return ledger.write('network', remark, async () => {
    const { code, data } = await call('/api/v3/network/create', { remark });
    return code === 2000 ? String(data.gwid) : null;
  });
}

async function renameNetwork(ledger: Ledger, call: Call): Promise<boolean> {
  const gwids = [...ledger.of('network').keys()];
  if (gwids.length === 0) return false;
  const gwid = gwids[randomInt(gwids.length)] as string;
  made += 1;
  const remark = `renamed-${made}`;
  const write = async () => ((await call('/api/v3/network/update', { gwid, remark })).code === 2000 ? gwid : null);
  return ledger.write('network', remark, write, gwid);
}

function registerPerson({ url, dataDir }: KillFixture, ledger: Ledger): Promise<boolean> {
  let person: Owner | undefined;
  return ledger.write('account', 'signs in', async () => {
    person = await register(url, dataDir);
    return `${person.email} ${person.password}`;
  });
}

async function changeWifi(ledger: Ledger, call: Call, gwid: string): Promise<boolean> {
  made += 1;
  const name = `wifi-${made}`;
  let jobId = '';
  const done = await ledger.write(
    'wifi',
    name,
    async () => {
      const current = await expectDone(call('/api/v3/network/wireless/get', { gwid }));
      const { version } = current.data as { version: number };
      const { code, data } = await call('/api/v3/network/wireless/save', {
        gwid,
        version,
        ssids: [ssid(name)],
        radios: [],
      });
      jobId = String(data?.job_id ?? '');
      return code === 2000 ? gwid : null;
    },
    gwid,
  );
  if (done && jobId) await ledger.write('job', 'there', async () => jobId);
  await pause(200);
  return done;
}

function rebootOne(ledger: Ledger, call: Call, serial: string): Promise<boolean> {
  return ledger.write('job', 'there', async () => {
    const { code, data } = await call('/api/v3/ap/reboot', { serials: [serial], queue: true });
    return code === 2000 ? String(data.job_id) : null;
  });
}

const ssid = (name: string) => ({
  enabled: true,
  name,
  security: 'psk2',
  key: 'correct-horse',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
});

async function networkOf({ url, owner }: KillFixture): Promise<string> {
  const { data } = await expectDone(
    post<{ list: { gwid: string }[] }>(url, '/api/v3/network/list', { page: 1, limit: 10 }, owner.token),
  );
  const gwid = data.list[0]?.gwid;
  if (!gwid) throw new Error('the simulated fleet has no network');
  return gwid;
}
