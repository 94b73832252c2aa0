import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../app/api-error.ts';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { openJobs } from './job-drawer-state.ts';
import { notify } from './toast.tsx';

/** Opens the push job. `conflict`: saved meanwhile (4104); others go to `onRefused`. */
export function useSaving(props: {
  save: () => Promise<{ job_id: string | null; offline?: boolean; unconfirmed?: readonly string[] }>;
  onSaved: () => void;
  onRefused: (error: unknown) => void;
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<{ by: string | null } | null>(null);
  const send = async () => {
    setBusy(true);
    try {
      const { job_id, offline, unconfirmed = [] } = await props.save();
      props.onSaved();
      if (offline) notify('bad', t('wireless.offline'));
      if (unconfirmed.length > 0) notify('bad', t('wireless.unconfirmed_saved', { n: unconfirmed.length }));
      if (job_id) openJobs(job_id);
      else if (!offline) notify('ok', t('wireless.saved_only'));
      await client.invalidateQueries();
    } catch (problem) {
      if (problem instanceof ApiError && problem.code === 4104) setConflict(savedBy(problem));
      else props.onRefused(problem);
    }
    setBusy(false);
  };
  return { busy, conflict, send };
}

function savedBy({ data }: ApiError): { by: string | null } {
  return { by: typeof data.updated_by === 'string' ? data.updated_by : null };
}

/** Another person saved meanwhile: the draft must be reloaded. */
export function Conflict(props: { title: string; body: string; onClose: () => void; onReload: () => void }) {
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      foot={
        <>
          <Button onClick={props.onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" onClick={props.onReload}>
            {t('wireless.reload')}
          </Button>
        </>
      }
    >
      <p>{props.body}</p>
    </Dialog>
  );
}
