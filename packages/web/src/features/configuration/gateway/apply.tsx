import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { PreviewDevice } from '../preview-device.tsx';
import { Conflict, useSaving } from '../saving.tsx';
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
  const { busy, conflict, send } = useSaving({
    ...props,
    save: () => call('/api/v3/network/gateway/save', { gwid: props.gwid, version: props.version, settings }),
  });
  if (conflict) return <Conflict {...props} title={t('gateway.conflict')} body={t('gateway.conflict_body')} />;
  const totals = data?.totals;
  return (
    <Dialog
      wide
      title={t('gateway.apply_title')}
      onClose={props.onClose}
      onSubmit={send}
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
