import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Share } from '../../ui/chart/shares.tsx';

type Terminals = Data<'/api/v3/user_stat/user_model'>['terminal_type'];

export const listOf = (day: 30 | 'history'): Record<string, string> => ({
  tab: 'history',
  ...(day === 30 ? { seen: '30' } : {}),
});

const colors = { android: 0, ios: 1, mac: 2, windows: 3 } as const;

export function terminalParts(types: Terminals, other: number, day: 30 | 'history'): Share[] {
  const parts = types.map(({ name, value }) => ({
    key: name,
    name: t(`terminal.${name}`),
    value,
    color: colors[name],
    to: '/networks/online_users',
    search: { ...listOf(day), terminal: name },
  }));
  const rest = { key: 'other', name: t('terminal.other'), value: other, color: 5 };
  return [...parts.filter(({ value }) => value > 0), ...(other > 0 ? [rest] : [])];
}
