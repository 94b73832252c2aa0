import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';

export type PortAnswer = Data<'/api/v3/switch/port/list'>;
export type Port = PortAnswer['ports'][number];
export type PortSettings = Port['settings'];

/** Link speed in Mbit/s below which a link is considered slow. */
const slowBelow = 1000;

export function isSlow({ up, speed }: Pick<Port, 'up' | 'speed'>): boolean {
  return up && speed !== null && speed < slowBelow;
}

export function speedText(mbps: number): string {
  return mbps < 1000 ? `${mbps} M` : `${mbps / 1000} G`;
}

export function portTitle({ port, label }: Pick<Port, 'port' | 'label'>): string {
  return label ? `${port} · ${label}` : port;
}

export function vlanText({ vlan, tagged }: Pick<Port, 'vlan' | 'tagged'>): string {
  return tagged.length === 0 ? String(vlan) : t('ports.vlan_both', { vlan, tagged: tagged.join(', ') });
}

/** LLDP neighbour, else the only learned client. */
export function otherEnd({ neighbours, clients, client_total: total }: Port): string | null {
  const [peer] = neighbours;
  if (peer) return peer.name ?? peer.mac;
  const [client] = clients;
  if (total === 0 || !client) return null;
  return total === 1 ? (client.name ?? client.mac) : t('ports.devices', { n: total });
}

export function sourceText({ source }: Pick<Port, 'source'>): string {
  const { layer, name } = source;
  if (layer === 'ac' || layer === 'group') return t(`ports.from_${layer}`, { name });
  return t(layer === 'device' ? 'ports.from_device' : 'ports.from_default');
}

/** Changes the chosen ports; null removes them. Under a lock only label and speed. */
export function withSettings(
  ports: readonly Port[],
  chosen: ReadonlySet<string>,
  change: Partial<Omit<PortSettings, 'port'>> | null,
): PortSettings[] {
  return ports.flatMap(({ port, settings, own, source }) => {
    if (!chosen.has(port)) return own ? [settings] : [];
    if (change === null) return [];
    const { label = settings.label, speed = settings.speed } = change;
    return [{ ...settings, ...(source.locked ? { label, speed } : change) }];
  });
}
