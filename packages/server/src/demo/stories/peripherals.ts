import type { Owner } from '../accounts.ts';
import { localized, type Site, sitesOf, withRole } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

interface Text {
  zh: string;
  en: string;
}

interface Kind {
  type: string;
  mode: 'tcp' | 'icmp';
  detect_port: number | null;
  web_port: number | null;
  shell_port?: number;
  screen_port?: number;
  names: readonly Text[];
}

const printer: Kind = {
  type: 'printer',
  mode: 'tcp',
  detect_port: 9100,
  web_port: 80,
  names: [
    { zh: '前台打印机', en: 'Front desk printer' },
    { zh: '财务打印机', en: 'Accounts printer' },
  ],
};

const kinds: Readonly<Record<string, Kind>> = {
  IPC: {
    type: 'camera',
    mode: 'tcp',
    detect_port: 554,
    web_port: 80,
    names: [
      { zh: '大门摄像头', en: 'Entrance camera' },
      { zh: '停车场摄像头', en: 'Car park camera' },
      { zh: '收银摄像头', en: 'Till camera' },
      { zh: '走廊摄像头', en: 'Corridor camera' },
      { zh: '后门摄像头', en: 'Back door camera' },
    ],
  },
  NVR: {
    type: 'server',
    mode: 'tcp',
    detect_port: 8000,
    web_port: 80,
    shell_port: 23,
    names: [{ zh: '录像机', en: 'Recorder' }],
  },
  NPI: printer,
  BRN: printer,
  POS: {
    type: 'other',
    mode: 'icmp',
    detect_port: null,
    web_port: null,
    screen_port: 5900,
    names: [
      { zh: '收银机', en: 'Till' },
      { zh: '二号收银机', en: 'Second till' },
    ],
  },
  SIP: { type: 'other', mode: 'icmp', detect_port: null, web_port: 80, names: [{ zh: '总台电话', en: 'Desk phone' }] },
};

export const peripherals: Story = {
  name: 'peripherals',
  async tell(world) {
    for (const owner of world.owners)
      for (const site of sitesOf(world, owner).filter(({ shop }) => shop.edge)) await addAll(world, owner, site);
  },
};

async function addAll(world: DemoWorld, owner: Owner, site: Site): Promise<void> {
  const { gwid } = site;
  const [gateway] = withRole(site, 'edge');
  if (!gateway) return;
  const { place } = gateway.box;
  // addresses follow the settings of the gateway
  await until(world, async () => place.address(1)?.startsWith('192.168.1.') === true);
  const before = await listed(owner, site);
  const known = new Set(before.map(({ name }) => name));
  for (const { mac, hostname, number } of place.machines) {
    const ip = number === null ? null : place.address(number);
    const kind = kinds[hostname.split('-')[0] ?? ''];
    if (ip === null || !kind) continue;
    const { names, ...probed } = kind;
    const name = freeName(owner, names, known);
    if (name === null || before.some((one) => one.ip === ip)) continue;
    known.add(name);
    const given = { gwid, name, ip, mac: mac.replaceAll(':', ''), shell_port: null, ...probed };
    await owner.call('/api/v3/peripheral/create', given);
  }
}

function freeName(owner: Owner, names: readonly Text[], known: ReadonlySet<string>): string | null {
  const all = names.map((name) => localized(owner, name));
  return [...all, ...all.map((name) => `${name} 2`)].find((name) => !known.has(name)) ?? null;
}

interface Row {
  id: string;
  name: string;
  ip: string;
  type: string;
  status: string;
}

export async function listed({ call }: Owner, { gwid }: Site): Promise<Row[]> {
  return (await call<{ list: Row[] }>('/api/v3/peripheral/list', { gwid, page: 1, limit: 100 })).list;
}
