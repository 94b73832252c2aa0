import { remoteTerminalPath } from '@yunxun/contract/remote-terminal';
import { simulatedLogin } from '@yunxun/simulator';
import WebSocket from 'ws';
import type { Owner } from '../accounts.ts';
import { listed } from './peripherals.ts';
import { localized, sitesOf, withRole } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

interface Visit {
  target: { serial: string } | { peripheral_id: string };
  kind: 'shell' | 'telnet';
  purpose: { zh: string; en: string };
}

const lookMs = 20_000;

/** Allows remote access with recording, and looks at an access point and a recorder by terminals that have ended. */
export const remote: Story = {
  name: 'remote',
  async tell(world) {
    for (const owner of world.owners) {
      const { call } = owner;
      const { record, version } = await call<{ record: boolean; version: number }>('/api/v3/remote/settings', {});
      if (!record) await call('/api/v3/remote/settings/save', { enabled: true, record: true, version });
      for (const visit of await visitsOf(world, owner)) await look(world, owner, visit);
    }
  },
};

async function visitsOf(world: DemoWorld, owner: Owner): Promise<Visit[]> {
  const site = sitesOf(world, owner).find(({ shop }) => shop.edge);
  if (!site) return [];
  const [ap] = withRole(site, 'access-point');
  const recorder = (await listed(owner, site)).find(({ type }) => type === 'server');
  return [
    ...(ap
      ? [
          {
            target: { serial: ap.serial },
            kind: 'shell' as const,
            purpose: { zh: '查看上联口状态', en: 'Look at the uplink' },
          },
        ]
      : []),
    ...(recorder
      ? [
          {
            target: { peripheral_id: recorder.id },
            kind: 'telnet' as const,
            purpose: { zh: '检查录像机运行时间', en: 'Check how long the recorder runs' },
          },
        ]
      : []),
  ];
}

async function look(world: DemoWorld, owner: Owner, { target, kind, purpose }: Visit): Promise<void> {
  const size = { cols: 100, rows: 30 };
  const asked = { ...target, kind, purpose: localized(owner, purpose), ...size };
  const { id } = await owner.call<{ id: string }>('/api/v3/remote/open', asked);
  const page = new WebSocket(`${world.url.replace('http', 'ws')}${remoteTerminalPath}?session=${id}`);
  let shown = '';
  let isOver = false;
  page.on('open', () => page.send(JSON.stringify({ token: owner.token, ...size })));
  page.on('message', (data: Buffer, isBinary) => {
    if (isBinary) shown += data.toString();
  });
  page.on('error', () => page.terminate());
  page.on('close', () => {
    isOver = true;
  });
  const timer = setTimeout(() => page.terminate(), lookMs);
  const shows = (text: string) => until(world, async () => isOver || shown.includes(text));
  try {
    await shows('login: ');
    const { user, password } = simulatedLogin;
    for (const line of [user, password, 'uptime']) if (!isOver) page.send(Buffer.from(`${line}\r`));
    await shows(' min\r\n');
  } finally {
    clearTimeout(timer);
    page.terminate();
    await owner.call('/api/v3/remote/end', { id });
  }
}
