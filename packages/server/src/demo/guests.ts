import { randomBytes } from 'node:crypto';
import type { GuestKnowledge, PlaceKind } from '@yunxun/simulator';
import type { Call } from './call.ts';

export type Known = Pick<GuestKnowledge, 'password' | 'vouchers' | 'accounts'>;

export const guestVlan = 20;

const guestLan = 'Guests';
const perDevice = { times_per_day: 0, devices: 1 };
const rates = { up_kbps: 4000, down_kbps: 16_000 };
const slow = { up_kbps: 1000, down_kbps: 4000 };

export const hostAddress = 'host@demo.example';

/** Hotels sell packages, offices know their visitors; only identity providers are left out. */
const methodsOf = (kind: PlaceKind, password: string) => {
  const oneClick = { kind: 'one_click', ...perDevice, ...slow, minutes: 60 };
  const sms = { kind: 'sms', ...perDevice, ...rates, minutes: 120, devices: 2 };
  const voucher = { kind: 'voucher', ...perDevice, ...rates, minutes: 1440 };
  const account = { kind: 'account', ...perDevice, ...rates, minutes: 480 };
  if (kind === 'office')
    return [
      oneClick,
      { kind: 'sponsor', ...perDevice, ...rates, minutes: 480, sponsors: [hostAddress] },
      { kind: 'dynamic_password', ...perDevice, ...rates, minutes: 240, every: 'day' },
      { kind: 'password', ...perDevice, ...rates, minutes: 120, password },
      voucher,
      account,
    ];
  const bought = [
    { kind: 'purchase', ...perDevice, ...rates, minutes: 0 },
    { kind: 'recharge_card', ...perDevice, ...rates, minutes: 0 },
  ];
  return [oneClick, sms, voucher, account, ...(kind === 'hotel' ? bought : [])];
};

const content = (kind: PlaceKind, password: string) => ({
  methods: methodsOf(kind, password),
  page: {
    title: { zh: '欢迎来到{shop_name}', en: 'Welcome to {shop_name}' },
    logo: null,
    background: null,
    carousel: [],
    countdown: null,
    colour: '#1264d8',
    text: { zh: '选择一种方式登录。', en: 'Choose a way to sign in.' },
    terms: { zh: '请遵守法律法规。', en: 'Please keep the law.' },
  },
  whitelist: [],
  jump: '',
  remember_days: 0,
});

const settings = {
  confirm_s: 60,
  lines: [
    {
      name: 'WAN1',
      port: 'WAN1',
      addressing: 'dynamic',
      address: null,
      gateway: null,
      dns: [],
      down_mbps: null,
      up_mbps: null,
      probe: [],
    },
  ],
  networks: [
    {
      name: 'LAN',
      address: '192.168.1.1/24',
      vlan: null,
      ports: ['LAN1', 'LAN2', 'LAN3'],
      tagged: [],
      pool: { first: '192.168.1.10', count: 200, lease_minutes: 360 },
      leases: [],
    },
    {
      name: guestLan,
      address: '192.168.20.1/24',
      vlan: guestVlan,
      ports: [],
      tagged: ['LAN1', 'LAN2', 'LAN3'],
      pool: { first: '192.168.20.10', count: 200, lease_minutes: 60 },
      leases: [],
    },
  ],
  forwards: [],
  routes: [],
  limits: [],
  reboot: null,
};

interface Choice {
  edge: { reason: string | null };
  wireless: { ssids: { id: string; name: string; obstacle: string | null }[]; access_points: number; unable: object[] };
}

/** Where guests sign in; `ssid`: access points let them in, else the edge gateway. */
export interface GuestShop {
  name: string;
  kind: PlaceKind;
  ssid?: string;
}

const ssidIn = ({ wireless }: Choice, ssid: string) =>
  wireless.ssids.find(({ name, obstacle }) => name === ssid && obstacle === null);

export async function canCapture(call: Call, gwid: string, ssid?: string): Promise<boolean> {
  const choice = await call<Choice>('/api/v3/portal/site', { gwid });
  if (ssid === undefined) return choice.edge.reason === null;
  const { access_points: devices, unable } = choice.wireless;
  return devices > 0 && unable.length === 0 && ssidIn(choice, ssid) !== undefined;
}

/** Resumes an interrupted run, too. */
export async function openGuestPage(call: Call, gwid: string, { name, kind, ssid }: GuestShop): Promise<Known> {
  const password = `guest-${randomBytes(3).toString('hex')}`;
  if (ssid === undefined) await setGuestLan(call, gwid);
  // names of templates have no blanks
  const template_id = await publish(call, name.replaceAll(' ', '-'), content(kind, password));
  const gateway = ssid === undefined ? edgeGateway : await accessPoints(call, gwid, ssid);
  await call('/api/v3/portal/site/save', { gwid, enabled: true, template_id, ...gateway });
  const accounts = ['Anna', 'Li.Wei', 'Wang.Fang'].map((account) => ({
    name: account,
    password: `pass-${randomBytes(3).toString('hex')}`,
  }));
  for (const account of accounts) await saveAccount(call, gwid, account);
  // last: only this answer has the codes
  const { codes: vouchers } = await call<{ codes: string[] }>('/api/v3/portal/voucher/create', {
    gwid,
    name: 'DayPass',
    count: 40,
    minutes: 1440,
    devices: 2,
    valid_days: 365,
    characters: 'mixed',
    length: 8,
  });
  return { password, vouchers, accounts };
}

const edgeGateway = {
  gateway: 'edge',
  captive: { lans: [guestLan], exempt_macs: [], exempt_addresses: [] },
} as const;

async function accessPoints(call: Call, gwid: string, ssid: string) {
  const chosen = ssidIn(await call<Choice>('/api/v3/portal/site', { gwid }), ssid);
  if (!chosen) throw new Error(`guests cannot sign in on ${ssid}`);
  return { gateway: 'uam', access_points: { ssids: [chosen.id] } } as const;
}

async function setGuestLan(call: Call, gwid: string): Promise<void> {
  const { version } = await call<{ version: number }>('/api/v3/network/gateway/get', { gwid });
  if (version === 0) await call('/api/v3/network/gateway/save', { gwid, version, settings });
}

interface Named {
  id: string;
  name: string;
}

async function publish(call: Call, name: string, page: ReturnType<typeof content>): Promise<string> {
  const asked = { keyword: name, limit: 100 };
  const { list } = await call<{ list: (Named & { revision: number })[] }>('/api/v3/auth_template/list', asked);
  const known = list.find((one) => one.name === name);
  const draft = { name, ...page };
  const { id } = known ?? (await call<Named>('/api/v3/auth_template/create', draft));
  if (known) await call('/api/v3/auth_template/save', { id, revision: known.revision, ...draft });
  const { status, revision } = await call<{ status: string; revision: number }>('/api/v3/auth_template/detail', { id });
  if (status !== 'published') await call('/api/v3/auth_template/publish', { id, revision });
  return id;
}

async function saveAccount(call: Call, gwid: string, account: { name: string; password: string }): Promise<void> {
  const { list } = await call<{ list: Named[] }>('/api/v3/portal/member/list', { gwid, limit: 100 });
  const known = list.find(({ name }) => name === account.name);
  const more = { password: account.password, enabled: true, until: null, devices: 5 };
  if (known) await call('/api/v3/portal/member/save', { gwid, id: known.id, ...more });
  else await call('/api/v3/portal/member/create', { gwid, name: account.name, ...more });
}
