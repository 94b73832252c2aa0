import { t } from '../../app/i18n.ts';
import type { DrawnKind } from '../../ui/device/glyphs.ts';
import { mac } from '../../ui/format.ts';
import type { TopologyNode } from './layout.ts';

export function drawnOf({ kind }: Pick<TopologyNode, 'kind'>): DrawnKind {
  if (kind === 'gateway' || kind === 'switch' || kind === 'ap') return kind;
  return kind === 'station' ? 'computer' : 'other';
}

export function titleOf({ name, mac: address, id, kind }: TopologyNode): string {
  if (kind === 'internet') return t('topology.kind_internet');
  return name ?? (address ? mac(address) : id);
}

/** Returns the health colour; a signal below -75 dBm is weak (docs/metrics). */
export function toneOf({ status, kind, rssi }: TopologyNode): 'ok' | 'warn' | 'bad' | 'none' {
  if (kind === 'station') return rssi !== null && rssi < -75 ? 'warn' : 'none';
  if (status === 'online') return 'ok';
  if (status === 'offline') return 'bad';
  return status === 'restarting' ? 'warn' : 'none';
}

export function noteOf({ status, about, kind }: TopologyNode): string {
  if (kind === 'internet') return t('topology.internet');
  const word = status === null ? t('topology.unmanaged') : t(`status.${status}`);
  const what = about ?? (kind === 'station' ? null : t(`topology.kind_${kind}`));
  return what === null ? word : t('topology.note', { word, what });
}

export function linkText({ link }: TopologyNode): string {
  if (!link) return '';
  if (link.source === 'wireless') return '';
  return [link.port, speedText(link.speed)].filter(Boolean).join(' · ');
}

export function speedText(speed: number | null): string {
  if (speed === null) return '';
  return speed >= 1000 ? `${speed / 1000} Gbps` : `${speed} Mbps`;
}
