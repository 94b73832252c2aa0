import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fleet, type PlaceKind, pastPace, startControl, startFleet, startGuests } from '@yunxun/simulator';
import { addDemoImage } from './demo-firmware.ts';
import { type Call, canCapture, guestVlan, type Known, openGuestPage } from './demo-guests.ts';
import { DemoPast, newPast, type PastMemory } from './demo-history.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { runUntilSignal, type Started, start } from './start.ts';

interface DemoAccount {
  locale: 'zh-CN' | 'en';
  email: string;
  networks: readonly {
    remark: string;
    /** Map position in degrees. */
    at: readonly [lat: number, lng: number];
    kind: PlaceKind;
    aps: number;
    switches: number;
    /** Our own agent on Linux. */
    edge?: true;
    ssids: readonly [staff: string, guest: string];
  }[];
}

const accounts: readonly DemoAccount[] = [
  {
    locale: 'zh-CN',
    email: 'zh@demo.example',
    networks: [
      {
        remark: '西湖酒店',
        at: [30.259, 120.148],
        kind: 'hotel',
        aps: 8,
        switches: 1,
        edge: true,
        ssids: ['西湖酒店-办公', '西湖酒店'],
      },
      {
        remark: '滨江门店',
        at: [30.2084, 120.212],
        kind: 'shop',
        aps: 3,
        switches: 0,
        ssids: ['滨江店-收银', '滨江店'],
      },
      {
        remark: '未来科技城办公室',
        at: [30.287, 120.018],
        kind: 'office',
        aps: 5,
        switches: 1,
        edge: true,
        ssids: ['未来办公', '未来访客'],
      },
    ],
  },
  {
    locale: 'en',
    email: 'en@demo.example',
    networks: [
      {
        remark: 'Harbour-Hotel',
        at: [-33.861, 151.211],
        kind: 'hotel',
        aps: 8,
        switches: 1,
        edge: true,
        ssids: ['Harbour Staff', 'Harbour Guest'],
      },
      {
        remark: 'Market-Street-Shop',
        at: [-33.871, 151.2067],
        kind: 'shop',
        aps: 3,
        switches: 0,
        ssids: ['Market Till', 'Market Free WiFi'],
      },
      {
        remark: 'Head-Office',
        at: [-37.814, 144.963],
        kind: 'office',
        aps: 5,
        switches: 1,
        edge: true,
        ssids: ['Office', 'Office Guest'],
      },
    ],
  },
];

interface Memory {
  password: string;
  gwids: Record<string, string>;
  /** Absent in older demos. */
  past?: PastMemory;
  /** By network. Absent in older demos, with captive access points. */
  guests?: Record<string, Known>;
}

/** In each network. */
const guestsPerMinute = 6;

await runUntilSignal(async () => {
  const config = readConfig({ ...process.env, YUNXUN_DATA: process.env.YUNXUN_DATA ?? './data-demo' });
  refuseRealData(config);
  const program = await start(config, { demo: true });
  const fleets: Fleet[] = [];
  const guests: (() => void)[] = [];
  const control = await startControl(fleets);
  const file = join(config.dataDir, 'demo.json');
  const memory = recall(file);
  const past = memory.past
    ? new DemoPast({ memory: memory.past, remember: () => remember(file, memory), program })
    : null;
  let stopping = false;
  let populating: Promise<void> | null = null;
  const stop = async () => {
    stopping = true;
    for (const end of guests) end();
    await past?.stop();
    await populating;
    await control.stop();
    for (const fleet of fleets) fleet.stop();
    await program.stop();
  };
  try {
    const owners = await openAccounts(program, config.dataDir, memory);
    console.log(
      `Make a simulated device fail: curl -d '{"fault":"lose-link","seconds":60}' ${control.url}/devices/<serial>/fault`,
    );
    const { httpUrl: url, showPreparing } = program;
    // a taken default port serves no guests
    const servesGuests = memory.guests !== undefined && program.portalPort !== 0;
    const parts = { url, dataDir: config.dataDir, owners, fleets, past, showPreparing, memory };
    const admit = async (site: GuestSite) => {
      if (!servesGuests) return;
      const known = await guestsOf(site, memory, () => stopping);
      remember(file, memory);
      const { fleet, locale: language } = site;
      if (known) guests.push(startGuests(fleet, { ...known, perMinute: guestsPerMinute, language, log: console.log }));
    };
    populating = populate(parts, admit).catch((error) => {
      if (!stopping) console.error(error);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
});

/** @throws ConfigError unless the demo has its own database and data folder */
function refuseRealData(config: Config): void {
  if (config.databaseUrl)
    throw new ConfigError('The demo keeps its own database: start it without YUNXUN_DATABASE_URL.');
  if (config.dataDir === readConfig({}).dataDir) {
    throw new ConfigError(
      'The demo does not write into ./data, where npm start keeps real data: choose another YUNXUN_DATA.',
    );
  }
}

interface Owner {
  account: DemoAccount;
  accountId: string;
  bindingCode: string;
  call: Call;
  gwids: ReadonlyMap<string, string>;
}

interface GuestSite {
  remark: string;
  gwid: string;
  locale: DemoAccount['locale'];
  call: Call;
  fleet: Fleet;
}

/** Creates missing accounts and networks, and prints how to sign in. */
async function openAccounts({ httpUrl: url }: Started, dataDir: string, memory: Memory): Promise<Owner[]> {
  const file = join(dataDir, 'demo.json');
  remember(file, memory);
  const owners: Owner[] = [];
  for (const account of accounts) {
    const { call, accountId, bindingCode } = await signIn(url, dataDir, account, memory.password);
    const gwids = new Map<string, string>();
    for (const {
      remark,
      ssids,
      at: [lat, lng],
    } of account.networks) {
      if (memory.gwids[remark] === undefined) {
        const { gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark });
        await call('/api/v3/map/place', { gwid, lat, lng });
        memory.gwids[remark] = gwid;
      }
      gwids.set(remark, memory.gwids[remark]);
      remember(file, memory);
      await setWireless(call, memory.gwids[remark], ssids);
    }
    await addDemoImage(call);
    owners.push({ account, accountId, bindingCode, call, gwids });
    console.log(`Demo account (${account.locale}): ${account.email}  password: ${memory.password}`);
  }
  return owners;
}

/** Starts devices by network, after its history. */
async function populate(
  parts: {
    url: string;
    dataDir: string;
    owners: readonly Owner[];
    fleets: Fleet[];
    past: DemoPast | null;
    showPreparing: Started['showPreparing'];
    memory: Memory;
  },
  admitGuests: (site: GuestSite) => Promise<void>,
): Promise<void> {
  const { url, dataDir, owners, fleets, showPreparing, memory } = parts;
  const sites: GuestSite[] = [];
  const past = parts.past?.complete === false ? parts.past : null;
  if (past) console.log('The simulated networks come with 30 days of history: one after the other, in some minutes.');
  await past?.open();
  const total = accounts.reduce((sum, { networks }) => sum + networks.length, 0);
  if (past) showPreparing({ done: 0, total });
  for (const { account, accountId, bindingCode, call, gwids } of owners) {
    for (const { remark, kind, aps, switches, ssids, edge: isEdge = false } of account.networks) {
      const edge = isEdge && (kind === 'office' || memory.guests !== undefined);
      const gateway = edge ? { gateways: 0, edges: 1 } : { gateways: 1 };
      const plan = {
        seed: remark,
        kind,
        ...gateway,
        aps,
        switches,
        peoplePerAp: 14,
        portal: memory.guests === undefined,
      };
      const openness = ssids.map((name, index) => ({ name, open: index === 1 }));
      const folder = join(dataDir, 'devices', remark);
      const place = { consoleUrl: url, bindingCode, gwid: gwids.get(remark)!, folder };
      const enrolled = past && {
        enrolled: (devices: Fleet['devices']) => past.write({ ...plan, remark, accountId, ssids: openness }, devices),
      };
      // clients continue; devices only report more often
      const fleet = await startFleet({ ...plan, ...place, ...enrolled, speedUp: 4, pace: pastPace });
      fleets.push(fleet);
      if (edge) sites.push({ remark, gwid: gwids.get(remark)!, locale: account.locale, call, fleet });
      if (past) showPreparing({ done: fleets.length, total });
    }
  }
  const devices = fleets.reduce((total, fleet) => total + fleet.devices.length, 0);
  console.log(`${devices} simulated devices are on their way. Everything you see comes from them.`);
  const admitted = Promise.all(sites.map(admitGuests));
  await past?.rollUp();
  await past?.stop();
  showPreparing(null);
  await admitted;
}

/** Waits for the gateway; null after an error, or when the demo ends. */
async function guestsOf(
  { remark, gwid, call }: GuestSite,
  { guests = {} }: Memory,
  isOver: () => boolean,
): Promise<Known | null> {
  try {
    while (!guests[remark] && !isOver()) {
      if (await canCapture(call, gwid)) guests[remark] = await openGuestPage(call, gwid, remark);
      else await pause(1000);
    }
  } catch (error) {
    if (!isOver()) console.error(error);
  }
  return isOver() ? null : (guests[remark] ?? null);
}

/** Sets two SSIDs once; later changes are kept. */
async function setWireless(
  call: <T>(path: string, body: unknown) => Promise<T>,
  gwid: string,
  [staff, guest]: readonly [string, string],
): Promise<void> {
  const { version } = await call<{ version: number }>('/api/v3/network/wireless/get', { gwid });
  if (version > 0) return;
  const ssid = {
    enabled: true,
    bands: ['2G', '5G'],
    hidden: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  const ssids = [
    {
      ...ssid,
      name: staff,
      security: 'psk2',
      key: randomBytes(9).toString('base64url').replace(/[-_]/g, 'x'),
      vlan: null,
      isolate: false,
    },
    { ...ssid, name: guest, security: 'open', vlan: guestVlan, isolate: true },
  ];
  await call('/api/v3/network/wireless/save', { gwid, version, ssids, radios: [] });
}

function recall(file: string): Memory {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Memory;
  const password = `demo-${randomBytes(4).toString('hex')}`.replace('-', '~');
  return { password, gwids: {}, past: newPast(new Date()), guests: {} };
}

function remember(file: string, memory: Memory): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
}

/** Uses public endpoints; registers first. */
async function signIn(url: string, dataDir: string, account: DemoAccount, password: string) {
  const { email, locale } = account;
  const post = async (path: string, body: unknown, token?: string) => {
    const response = await fetch(url + path, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        localization: locale,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { code: number; message: string; data: unknown; token?: string };
  };
  let answer = await post('/api/v3/login', { email, password });
  if (answer.code !== 2000) {
    await post('/api/v3/register/get_email_code', { email });
    const code = lastCode(join(dataDir, 'outbox.ndjson'), email);
    answer = await post('/api/v3/register', { email, email_code: code, password, confirm_password: password });
  }
  const { token } = answer;
  if (!token) throw new Error(`the demo account ${email} cannot sign in: ${answer.message}`);
  const { data } = await post('/api/v3/user', null, token);
  const user = data as { account_id: string; account_code: string };
  return {
    accountId: user.account_id,
    bindingCode: user.account_code,
    async call<T>(path: string, body: unknown): Promise<T> {
      const { code, message, data } = await post(path, body, token);
      if (code !== 2000) throw new Error(`${path}: ${message}`);
      return data as T;
    },
  };
}

function lastCode(file: string, email: string): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const line = lines
    .map((text) => JSON.parse(text) as { to: string; params: { code: string } })
    .findLast(({ to }) => to === email);
  if (!line) throw new Error(`no code for ${email} in ${file}`);
  return line.params.code;
}
