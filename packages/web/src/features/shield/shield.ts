import type { Data, Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { notify } from '../../ui/toast.tsx';

export type ShieldSetting = Row<'/api/v3/cloud_security/setting/list'>;
export type Allowed = Row<'/api/v3/cloud_security/allowlist/list'>;
export type DomainList = Data<'/api/v3/cloud_security/list/list'>['list'][number];

export const categories = ['malware', 'phishing', 'mining', 'ads', 'adult', 'own'] as const;
export const modes = ['off', 'monitor', 'block'] as const;
/** Limit of one call, and of the own list. */
export const maxAtOnce = 100;
export const maxOwn = 2000;

export const refreshShield = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('/cloud_security/') });

/** Says that a change was saved, and opens the job that brings it to gateways. */
export function saved(jobId: string | null): void {
  notify('ok', t(jobId ? 'shield.saved' : 'shield.saved_none'));
  if (jobId) openJobs(jobId);
}

export const stateText = ({ state, reason }: Pick<ShieldSetting, 'state' | 'reason'>): string =>
  reason ? t(`shield.reason_${reason}`) : t(`shield.state_${state}`);
