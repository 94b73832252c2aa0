import { lazy, Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import type { BatchAct, Selection } from '../../ui/table/columns.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import { loadChooseTemplate } from '../templates/index.ts';

const ChooseTemplate = lazy(loadChooseTemplate);

/** Maximum per push (contract: Targets). */
const most = 5000;

export function useTemplateBatch<Row>(idOf: (row: Row) => string) {
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const open = async (selection: Selection<Row>) => {
    if (selection.count > most) return notify('info', t('batch.template_most', { most }));
    try {
      setPicked((await selection.rows()).map(idOf));
    } catch (error) {
      notifyError(error);
    }
  };
  const act: BatchAct<Row> = { label: t('batch.template'), act: (selection) => void open(selection) };
  return {
    act,
    dialog: picked && (
      <Suspense>
        <ChooseTemplate to={{ kind: 'device', picked }} onClose={() => setPicked(null)} />
      </Suspense>
    ),
  };
}
