import { t } from '../../app/i18n.ts';
import { mac } from '../../ui/format.ts';
import type { TopologyNode } from './layout.ts';

/** What a node is called: the name that somebody gave it, else its address. */
export function titleOf({ name, mac: address, id }: TopologyNode): string {
  return name ?? (address ? mac(address) : id);
}

/** How well it is, by a colour's name; a signal below -75 dBm is weak (docs/metrics). */
export function toneOf({ status, kind, rssi }: TopologyNode): 'ok' | 'warn' | 'bad' | 'none' {
  if (kind === 'station') return rssi !== null && rssi < -75 ? 'warn' : 'none';
  if (status === 'online') return 'ok';
  if (status === 'offline') return 'bad';
  return status === 'restarting' ? 'warn' : 'none';
}

/** The second line of a box: its status in a word, or that it is not managed here. */
export function noteOf({ status, about, kind }: TopologyNode): string {
  const word = status === null ? t('topology.unmanaged') : t(`status.${status}`);
  const what = about ?? (kind === 'station' ? null : t(`topology.kind_${kind}`));
  return what === null ? word : t('topology.note', { word, what });
}

/** What a line says: the ports of both ends and the speed of the cable; empty where nobody told. */
export function linkText({ link }: TopologyNode): string {
  if (!link) return '';
  if (link.source === 'wireless') return '';
  return [link.port, speedText(link.speed)].filter(Boolean).join(' · ');
}

/** The speed of a cable: `1 Gbps`. */
export function speedText(speed: number | null): string {
  if (speed === null) return '';
  return speed >= 1000 ? `${speed / 1000} Gbps` : `${speed} Mbps`;
}
