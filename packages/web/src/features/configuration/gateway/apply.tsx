import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { ApiError } from '../../../app/api-error.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { openJobs } from '../../../ui/job-drawer-state.ts';
import { Loading } from '../../../ui/skeleton.tsx';
import { PreviewDevice } from '../preview-device.tsx';
import { type Draft, settingsOf } from './draft.ts';
import { Amount } from './parts.tsx';

type Answer = Data<'/api/v3/network/gateway/preview'>;
/** Seconds (contract: edgeLimits.confirm). */
const window = { min: 30, max: 600 };

/** What applying would change on the gateway, and how long it tries the new settings before it returns to the old ones. */
export function Apply(props: {
  gwid: string;
  version: number;
  draft: Draft;
  onConfirm: (seconds: number | null) => void;
  onClose: () => void;
  onSaved: () => void;
  /** The settings themselves were refused. */
  onRefused: (error: unknown) => void;
  onReload: () => void;
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState(false);
  const seconds = props.draft.confirm_s;
  const fits = seconds !== null && seconds >= window.min && seconds <= window.max;
  const settings = settingsOf(props.draft);
  const { data, error, refetch } = useQuery<Answer>({
    queryKey: ['preview', props.gwid, settings],
    queryFn: () => call('/api/v3/network/gateway/preview', { gwid: props.gwid, settings }),
    enabled: fits,
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  const apply = async () => {
    setBusy(true);
    try {
      const { gwid, version } = props;
      const { job_id } = await call('/api/v3/network/gateway/save', { gwid, version, settings });
      props.onSaved();
      openJobs(job_id);
      await client.invalidateQueries();
    } catch (problem) {
      if (problem instanceof ApiError && problem.code === 4104) setConflict(true);
      else props.onRefused(problem);
    }
    setBusy(false);
  };
  if (conflict) {
    return (
      <Dialog
        title={t('gateway.conflict')}
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
        <p>{t('gateway.conflict_body')}</p>
      </Dialog>
    );
  }
  const totals = data?.totals;
  return (
    <Dialog
      wide
      title={t('gateway.apply_title')}
      onClose={props.onClose}
      onSubmit={apply}
      foot={
        <SendFoot onClose={props.onClose} busy={busy} disabled={!fits || !totals || totals.wrong > 0}>
          {totals && totals.changed > 0 ? t('gateway.apply') : t('wireless.save_only')}
        </SendFoot>
      }
    >
      <Amount
        label={t('gateway.confirm')}
        value={seconds}
        error={fits ? undefined : t('validation.between', window)}
        hint={fits ? t('gateway.confirm_hint', { n: seconds }) : undefined}
        onChange={props.onConfirm}
      />
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={5}>
          {data && <Body data={data} />}
        </Loading>
      )}
    </Dialog>
  );
}

function Body({ data: { devices, totals } }: { data: Answer }) {
  if (devices.length === 0) return <p className="notice">{t('gateway.apply_none')}</p>;
  return (
    <>
      {totals.offline > 0 && <p className="notice">{t('gateway.apply_offline')}</p>}
      {totals.changed > 0 && <p className="notice">{t('gateway.apply_wired')}</p>}
      {devices.some(({ first, effect }) => first && effect === 'changed') && (
        <p className="notice notice-warn">{t('gateway.apply_first')}</p>
      )}
      {totals.wrong > 0 && <p className="notice notice-bad">{t('gateway.apply_wrong')}</p>}
      <div className="preview-list">
        {devices.map((device) => (
          <PreviewDevice key={device.serial} device={device} />
        ))}
      </div>
    </>
  );
}
