import type { Row } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { notify } from '../../../ui/toast.tsx';

export const path = '/api/v3/billing/fapiao/list';
export type Fapiao = Row<typeof path>;

export async function changed(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [path] });
  notify('ok', t('fapiao.done'));
}
