import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fleet, startControl, startFleet } from '@yunxun/simulator';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { runUntilSignal, start } from './start.ts';

/** A simulated customer: one account, a few networks, a fleet in each. */
interface DemoAccount {
  locale: 'zh-CN' | 'en';
  email: string;
  networks: readonly {
    remark: string;
    aps: number;
    switches: number;
    ssids: readonly [staff: string, guest: string];
  }[];
}

const accounts: readonly DemoAccount[] = [
  {
    locale: 'zh-CN',
    email: 'zh@demo.example',
    networks: [
      { remark: '西湖酒店', aps: 8, switches: 1, ssids: ['西湖酒店-办公', '西湖酒店'] },
      { remark: '滨江门店', aps: 3, switches: 0, ssids: ['滨江店-收银', '滨江店'] },
      { remark: '未来科技城办公室', aps: 5, switches: 1, ssids: ['未来办公', '未来访客'] },
    ],
  },
  {
    locale: 'en',
    email: 'en@demo.example',
    networks: [
      { remark: 'Harbour-Hotel', aps: 8, switches: 1, ssids: ['Harbour Staff', 'Harbour Guest'] },
      { remark: 'Market-Street-Shop', aps: 3, switches: 0, ssids: ['Market Till', 'Market Free WiFi'] },
      { remark: 'Head-Office', aps: 5, switches: 1, ssids: ['Office', 'Office Guest'] },
    ],
  },
];

/** What a demo remembers between two starts. */
interface Memory {
  password: string;
  gwids: Record<string, string>;
}

await runUntilSignal(async () => {
  const config = readConfig({ ...process.env, YUNXUN_DATA: process.env.YUNXUN_DATA ?? './data-demo' });
  refuseRealData(config);
  const program = await start(config);
  const fleets: Fleet[] = [];
  const control = await startControl(fleets);
  const stop = async () => {
    await control.stop();
    for (const fleet of fleets) fleet.stop();
    await program.stop();
  };
  try {
    await populate(program.httpUrl, config.dataDir, fleets);
    console.log(
      `Make a simulated device fail: curl -d '{"fault":"lose-link","seconds":60}' ${control.url}/devices/<serial>/fault`,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
});

/** Simulated customers do not belong among real ones. @throws ConfigError */
function refuseRealData(config: Config): void {
  if (config.databaseUrl)
    throw new ConfigError('The demo keeps its own database: start it without YUNXUN_DATABASE_URL.');
  if (config.dataDir === readConfig({}).dataDir) {
    throw new ConfigError(
      'The demo does not write into ./data, where npm start keeps real data: choose another YUNXUN_DATA.',
    );
  }
}

/** Makes the accounts and networks that are missing, and switches their devices on. */
async function populate(url: string, dataDir: string, fleets: Fleet[]): Promise<void> {
  const memory = recall(join(dataDir, 'demo.json'));
  // before the accounts are made with it
  remember(join(dataDir, 'demo.json'), memory);
  for (const account of accounts) {
    const owner = await signIn(url, dataDir, account, memory.password);
    for (const { remark, aps, switches, ssids } of account.networks) {
      memory.gwids[remark] ??= (await owner.call<{ gwid: string }>('/api/v3/network/create', { remark })).gwid;
      const gwid = memory.gwids[remark];
      remember(join(dataDir, 'demo.json'), memory);
      await setWireless(owner.call, gwid, ssids);
      const folder = join(dataDir, 'devices', remark);
      const fleet = { consoleUrl: url, bindingCode: owner.bindingCode, gwid, folder, seed: remark };
      fleets.push(await startFleet({ ...fleet, gateways: 1, aps, switches, speedUp: 4 }));
    }
    console.log(`Demo account (${account.locale}): ${account.email}  password: ${memory.password}`);
  }
  const devices = fleets.reduce((total, fleet) => total + fleet.devices.length, 0);
  console.log(`${devices} simulated devices are on their way. Everything you see comes from them.`);
}

/** Gives a network its two Wi-Fi names, once; what somebody changed since stays. */
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
    { ...ssid, name: guest, security: 'open', vlan: 20, isolate: true },
  ];
  await call('/api/v3/network/wireless/save', { gwid, version, ssids, radios: [] });
}

function recall(file: string): Memory {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Memory;
  return { password: `demo-${randomBytes(4).toString('hex')}`.replace('-', '~'), gwids: {} };
}

function remember(file: string, memory: Memory): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
}

/** Signs in through the front door, and registers first on the first start. */
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
  const user = (await post('/api/v3/user', null, token)).data as { account_code: string };
  return {
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
