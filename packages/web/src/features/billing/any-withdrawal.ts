import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { notify } from '../../ui/toast.tsx';

export const anyList = '/api/v3/install/withdrawal/list';
export type AnyWithdrawal = Row<typeof anyList>;

export async function refreshWithdrawals(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => /\/install\/withdrawal\//.test(`${queryKey[0]}`),
  });
}

export async function settled(): Promise<void> {
  await refreshWithdrawals();
  notify('ok', t('withdraw.done'));
}
