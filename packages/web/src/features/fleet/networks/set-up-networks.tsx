import { lazy, Suspense, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { Selection } from '../../../ui/table/columns.ts';
import { loadSiteSilenceDialog } from '../../alarms/index.ts';
import { loadChooseTemplate } from '../../templates/index.ts';
import { chosenNetworks } from '../chosen.ts';
import { TagDialog } from '../tag-dialog.tsx';
import { MaintenanceDialog } from './maintenance-dialog.tsx';
import { RestartNetworks } from './restart-networks.tsx';
import { maxNamed, type SetUpAct, useSetUpActs } from './set-up-acts.ts';

const SiteSilenceDialog = lazy(loadSiteSilenceDialog);
const ChooseTemplate = lazy(loadChooseTemplate);

interface Props {
  selection: Omit<Selection<unknown>, 'rows'>;
  /** Null: more than a call takes that needs them. */
  gwids: readonly string[] | null;
  onClose: () => void;
  done: () => void;
}

export function SetUpNetworks({ selection, gwids, onClose, done }: Props) {
  const acts = useSetUpActs().filter((act) => gwids !== null || (act !== 'silence' && act !== 'template'));
  const [chosen, setChosen] = useState<SetUpAct | null>(null);
  const act = chosen ?? acts[0];
  const n = selection.count;
  const few = gwids === null && <p className="small dim">{t('batch.set_up_most', { most: maxNamed })}</p>;
  if (!act)
    return (
      <Dialog title={t('batch.set_up_title', { n })} onClose={onClose}>
        {few}
      </Dialog>
    );
  const head = (
    <div className="stack set-up">
      <Choice
        hideLabel
        label={t('batch.set_up')}
        value={act}
        onChange={setChosen}
        options={acts.map((value) => ({ value, label: t(`batch.act_${value}`) }))}
      />
      {few}
    </div>
  );
  const rest = { head, onClose, done };
  return (
    <Suspense
      fallback={
        <Dialog title={t('batch.set_up_title', { n })} onClose={onClose}>
          {head}
          <Skeleton height={160} />
        </Dialog>
      }
    >
      {act === 'tags' && <TagDialog of="networks" selection={selection} {...rest} />}
      {act === 'silence' && gwids && <SiteSilenceDialog gwids={gwids} {...rest} />}
      {act === 'maintenance' && <MaintenanceDialog chosen={chosenNetworks(selection)} {...rest} />}
      {act === 'restart' && <RestartNetworks selection={selection} gwid={gwids?.[0]} {...rest} />}
      {act === 'template' && gwids && (
        <ChooseTemplate to={{ kind: 'network', picked: gwids }} head={head} onClose={onClose} />
      )}
    </Suspense>
  );
}
