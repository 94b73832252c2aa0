import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';

export type Rule = Row<'/api/v3/ac_password/rule/list'>;

export const refreshRules = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/ac_password') });

export function cycleText({ plan }: Pick<Rule, 'plan'>): string {
  const { cycle, at, weekday, month_day } = plan;
  if (cycle === 'daily') return t('password_rule.each_day', { at });
  if (cycle === 'monthly') return t('password_rule.each_month', { at, day: month_day });
  return t('password_rule.each_week', { at, day: t(`backup.weekday_${weekday as 1}`) });
}
