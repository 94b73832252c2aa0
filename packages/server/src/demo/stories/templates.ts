import type { Owner } from '../accounts.ts';
import { localized, sitesOf } from './sites.ts';
import type { Story } from './story.ts';

const hourS = 3600;
const ssid = {
  enabled: true,
  security: 'psk2',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
};
const radio = { enabled: null, channel: null, width: null, mode: null, power: null };

export const templates: Story = {
  name: 'templates',
  async tell(world) {
    for (const owner of world.owners) {
      const sites = sitesOf(world, owner);
      const ofKind = (kind: string) => sites.filter(({ shop }) => shop.kind === kind).map(({ gwid }) => gwid);
      const tills = await template(owner, 'wireless', localized(owner, { zh: '门店收银', en: 'Store-tills' }), {
        ssids: [
          { ...ssid, name: localized(owner, { zh: '门店内网', en: 'Store Backoffice' }), key: 'till-2026-secret' },
        ],
        radios: [],
      });
      await push(owner, tills, ofKind('shop'), { canary: 1, share: 100, rest: 0, stop_above: 20 });
      const quiet = await template(owner, 'ac', localized(owner, { zh: '酒店夜间', en: 'Hotel-rooms' }), {
        ssids: [],
        radios: [
          { ...radio, band: '5G', width: 80, power: 'high' },
          { ...radio, band: '2G', width: 20, power: 'medium' },
        ],
        general: { leds: false, fast_roaming: null, neighbour_reports: true, minimum_rssi: -82 },
        locks: ['general.leds'],
      });
      await push(owner, quiet, ofKind('hotel'), { canary: 2, share: 25, rest: hourS, stop_above: 10 });
    }
  },
};

async function template({ call }: Owner, kind: string, name: string, content: object): Promise<string> {
  const asked = { kind, keyword: name, page: 1, limit: 10 };
  const { list } = await call<{ list: { id: string; name: string }[] }>('/api/v3/wireless_template/list', asked);
  const known = list.find((one) => one.name === name);
  if (known) return known.id;
  return (await call<{ id: string }>('/api/v3/wireless_template/create', { kind, name, ...content })).id;
}

async function push({ call }: Owner, id: string, gwids: readonly string[], plan: object): Promise<void> {
  if (gwids.length === 0) return;
  const { total } = await call<{ total: number }>('/api/v3/wireless_template/change/list', { id });
  if (total === 0) await call('/api/v3/wireless_template/apply', { id, gwids, plan });
}
