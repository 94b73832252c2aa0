import type { AssetClass } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { DrawnKind } from '../../ui/device/glyphs.ts';
import { mac } from '../../ui/format.ts';

export type AssetRow = Data<'/api/v3/asset/list'>['list'][number];

export const classes: readonly AssetClass[] = [
  'gateway',
  'switch',
  'ap',
  'camera',
  'printer',
  'server',
  'computer',
  'phone',
  'smart_device',
  'other',
  'unknown',
];

export function drawnOf(of: AssetClass): DrawnKind {
  return of === 'unknown' ? 'other' : of;
}

export function nameOf(row: Pick<AssetRow, 'name' | 'id'>): string {
  return row.name ?? mac(row.id);
}

export function placesOf({ via }: AssetRow): string[] {
  if (!via) return [];
  const name = via.name ?? (via.serial ? mac(via.serial) : '');
  const at = via.type === 'air' ? via.ssid : via.port;
  return [name, at].flatMap((part) => part || []);
}

export const placeOf = (row: AssetRow): string => placesOf(row).join(' / ');

export function sourceOf({ class_by }: AssetRow): string {
  return class_by === null ? t('assets.class_unknown') : t(`assets.class_by_${class_by}`);
}
