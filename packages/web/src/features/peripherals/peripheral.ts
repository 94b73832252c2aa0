import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import type { DrawnKind } from '../../ui/device/glyphs.ts';
import type { Filter } from '../../ui/table/columns.ts';

export type Peripheral = Row<'/api/v3/peripheral/list'>;

export const peripheralTypes = ['switch', 'firewall', 'server', 'camera', 'printer', 'smart_device', 'other'] as const;
const statuses = ['online', 'offline', 'unknown'] as const;

export function drawnOf(type: Peripheral['type']): DrawnKind {
  return type === 'firewall' ? 'gateway' : type;
}

export async function refreshPeripherals(): Promise<void> {
  await Promise.all(
    ['/api/v3/peripheral/list', '/api/v3/peripheral/group/list'].map((path) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  );
}

export const peripheralFilters = (groups: readonly string[]): Filter[] => [
  {
    name: 'status',
    label: t('peripherals.status'),
    strict: true,
    options: statuses.map((value) => ({ value, label: t(`peripherals.status_${value}`) })),
  },
  {
    name: 'type',
    label: t('peripherals.type'),
    strict: true,
    options: peripheralTypes.map((value) => ({ value, label: t(`peripherals.type_${value}`) })),
  },
  {
    name: 'group',
    label: t('peripherals.group'),
    options: groups.map((value) => ({ value, label: value })),
  },
];
