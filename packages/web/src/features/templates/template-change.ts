import type { Data, Row } from '../../app/api.ts';
import { queryClient } from '../../app/session.ts';
import { notify } from '../../ui/toast.tsx';

export type ChangeRow = Row<'/api/v3/wireless_template/change/list'>;
export type ChangeDetail = Data<'/api/v3/wireless_template/change/detail'>;

export async function taken(work: Promise<unknown>, reported: string): Promise<void> {
  await work;
  await queryClient.invalidateQueries();
  notify('ok', reported);
}
