import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Share } from '../../ui/chart/shares.tsx';

type Terminals = Data<'/api/v3/user_stat/user_model'>['terminal_type'];

/** A type keeps its colour whatever its rank. */
const colors = { android: 0, ios: 1, mac: 2, windows: 3 } as const;

/**
 * Terminal types as parts of a whole: those with users, and what is known to be none of them. Each opens its users where
 * a list has as many: of everybody ever seen, not of 30 days.
 */
export function terminalParts(types: Terminals, other: number, day: 30 | 'history'): Share[] {
  const parts = types.map(({ name, value }) => ({
    ...{ key: name, name: t(`terminal.${name}`), value, color: colors[name] },
    ...(day === 'history' ? { to: '/networks/online_users', search: { tab: 'history', terminal: name } } : {}),
  }));
  const rest = { key: 'other', name: t('terminal.other'), value: other, color: 5 };
  return [...parts.filter(({ value }) => value > 0), ...(other > 0 ? [rest] : [])];
}
