import type { Owner } from '../accounts.ts';
import { localized, sitesOf } from './sites.ts';
import type { Story } from './story.ts';

const all = { type: 'all', ids: [] } as const;
const hourMs = 3_600_000;

export const alarmRules: Story = {
  name: 'alarm-rules',
  async tell(world) {
    for (const owner of world.owners) {
      const { call } = owner;
      const sites = sitesOf(world, owner);
      await call('/api/v3/alarm_rule/save', { rule: { kind: 'channel_busy', threshold: 80, tolerance: 1200 } });
      const hotels = sites.filter(({ shop }) => shop.kind === 'hotel').map(({ gwid }) => gwid);
      if (hotels.length > 0) await tightenFor(owner, hotels);
      await subscribe(owner);
      const rebuilt = sites.find(({ shop }) => shop.kind === 'shop');
      if (!rebuilt) continue;
      const until = new Date(Date.now() + 9 * hourMs).toISOString();
      const note = localized(owner, {
        zh: '卖场改造，施工期间会断电',
        en: 'The shop floor is rebuilt, power goes off now and then',
      });
      await call('/api/v3/alarm_silence/save', { gwid: rebuilt.gwid, until, note });
    }
  },
};

interface Rule {
  id?: string | null;
  kind: string;
  scope: { type: string };
}

async function tightenFor({ call }: Owner, gwids: readonly string[]): Promise<void> {
  const { list } = await call<{ list: { rule: Rule }[] }>('/api/v3/alarm_rule/list', {});
  const isThere = list.some(({ rule }) => rule.kind === 'gateway_offline' && rule.scope.type === 'networks');
  if (isThere) return;
  await call('/api/v3/alarm_rule/create', {
    rule: {
      kind: 'gateway_offline',
      enabled: true,
      level: 'FATAL',
      tolerance: 60,
      threshold: null,
      scope: { type: 'networks', ids: gwids },
    },
  });
}

async function subscribe(owner: Owner): Promise<void> {
  const { call, account } = owner;
  const { list: known } = await call<{ list: { name: string }[] }>('/api/v3/alarm_subscription/list', {});
  const { list: people } = await call<{ list: { id: string }[] }>('/api/v3/alarm_subscription/people', {});
  const members = people.map(({ id }) => id);
  const usual = {
    enabled: true,
    locale: account.locale,
    kinds: [],
    scope: all,
    members,
    schedule: [],
    repeat_hours: 0,
    recovery: true,
    endpoints: [],
  };
  const subscriptions = [
    {
      name: localized(owner, { zh: '值班', en: 'On-call' }),
      levels: ['FATAL', 'MIDDLE'],
      member_channels: ['console', 'email'],
      quiet: null,
      digest_minutes: 0,
    },
    {
      name: localized(owner, { zh: '白天汇总', en: 'Digest' }),
      levels: ['GENERAL'],
      member_channels: ['email'],
      quiet: '22:00-07:00',
      digest_minutes: 60,
    },
  ];
  for (const one of subscriptions)
    if (!known.some(({ name }) => name === one.name))
      await call('/api/v3/alarm_subscription/save', { ...usual, ...one });
  const { list: reports } = await call<{ list: object[] }>('/api/v3/report/list', {});
  const name = localized(owner, { zh: '周报', en: 'Weekly' });
  if (reports.length === 0)
    await call('/api/v3/report/save', { name, enabled: true, period: 'week', weekday: 1, hour: 8, members });
}
