import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Conflict, useSaving } from '../../ui/saving.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Draft, intentOf } from './draft.ts';
import { DropFacts } from './drop-facts.tsx';
import { PreviewDevice } from './preview-device.tsx';
import { UnconfirmedDevices } from './unconfirmed-devices.tsx';

type Answer = Data<'/api/v3/network/wireless/preview'>;

export function Preview(props: {
  gwid: string;
  version: number;
  draft: Draft;
  onClose: () => void;
  onSaved: () => void;
  onRefused: (error: unknown) => void;
  onReload: () => void;
}) {
  const intent = intentOf(props.draft);
  const { data, error, refetch } = useQuery<Answer>({
    queryKey: ['preview', props.gwid, intent],
    queryFn: () => call('/api/v3/network/wireless/preview', { gwid: props.gwid, ...intent }),
    gcTime: 0,
    retry: false,
  });
  const { busy, conflict, send } = useSaving({
    ...props,
    save: () => call('/api/v3/network/wireless/save', { gwid: props.gwid, version: props.version, ...intent }),
  });
  if (conflict) return <Conflict {...props} title={t('wireless.conflict')} body={t('wireless.conflict_body')} />;
  const totals = data?.totals;
  return (
    <Dialog
      wide
      title={t('wireless.preview_title')}
      onClose={props.onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={props.onClose} busy={busy} disabled={!totals || totals.wrong > 0}>
          {totals && totals.changed > 0 ? t('wireless.push', { n: totals.changed }) : t('wireless.save_only')}
        </SendFoot>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={5}>
          {data && <Body data={data} reload={() => void refetch()} />}
        </Loading>
      )}
    </Dialog>
  );
}

function Body({ data, reload }: { data: Answer; reload: () => void }) {
  const { totals } = data;
  const first = data.devices.filter((device) => device.first && device.effect === 'changed').length;
  const wired = data.devices.filter((device) => device.wired).length;
  if (totals.devices === 0) return <p>{t('wireless.preview_none')}</p>;
  return (
    <>
      <div className="preview-sum">
        <p>
          <strong>{t('wireless.preview_sum', { changed: totals.changed, devices: totals.devices })}</strong>
        </p>
        <p className="quiet">
          {[
            totals.terminals > 0
              ? t('wireless.preview_terminals', { n: totals.terminals })
              : t('wireless.preview_no_terminals'),
            totals.offline > 0 ? t('wireless.preview_offline', { n: totals.offline }) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <DropFacts drops={data.drops} />
      </div>
      <UnconfirmedDevices devices={data.devices} onConfirmed={reload} />
      {totals.offline === totals.devices && <p className="notice">{t('wireless.offline')}</p>}
      {first > 0 && <p className="notice">{t('wireless.preview_first', { n: first })}</p>}
      {wired > 0 && <p className="notice">{t('wireless.preview_wired', { n: wired })}</p>}
      {totals.wrong > 0 && <p className="notice notice-bad">{t('wireless.preview_wrong', { n: totals.wrong })}</p>}
      <div className="preview-list">
        {data.devices.map((device) => (
          <PreviewDevice key={device.serial} device={device} />
        ))}
      </div>
      <p className="small dim">{t('wireless.confirm_note')}</p>
    </>
  );
}
