import { useQuery } from '@tanstack/react-query';
import { gatewayLimits } from '@yunxun/contract/gateway-limits';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { leavesOf } from '../../../ui/changes/change-table.tsx';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { SwitchField } from '../../../ui/field.tsx';
import { Conflict, useSaving } from '../../../ui/saving.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { StatusTag } from '../../../ui/status.tsx';
import { DocumentDiff, EffectTag, Findings } from '../preview-device.tsx';
import { UnconfirmedDevices } from '../unconfirmed-devices.tsx';
import { type Draft, type Settings, settingsOf } from './draft.ts';
import { loadDiff, loadEffects } from './load.ts';
import { Amount } from './parts.tsx';

const Diff = lazy(loadDiff);
const Effects = lazy(loadEffects);

type Answer = Data<'/api/v3/network/gateway/preview'>;
const { min, max } = gatewayLimits.confirm;

/** Changes on the gateway, and the commit-confirm window after which it reverts. */
export function Apply(props: {
  gwid: string;
  version: number;
  draft: Draft;
  /** Last saved settings; null if never saved. */
  saved: Settings | null;
  onConfirm: (seconds: number | null) => void;
  onTakePort53: (takes: boolean) => void;
  onClose: () => void;
  onSaved: () => void;
  onRefused: (error: unknown) => void;
  onReload: () => void;
}) {
  const seconds = props.draft.confirm_s;
  const fits = seconds !== null && seconds >= min && seconds <= max;
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
  if (conflict) {
    const body = conflict.by ? t('gateway.conflict_by', { name: conflict.by }) : t('gateway.conflict_body');
    return <Conflict {...props} title={t('gateway.conflict')} body={body} />;
  }
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
        error={fits ? undefined : t('validation.between', { min, max })}
        hint={fits ? t('gateway.confirm_hint', { n: seconds }) : undefined}
        onChange={props.onConfirm}
      />
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={5}>
          {data && (
            <Body data={data} before={props.saved} after={settings} reload={() => void refetch()}>
              <TakePort53
                devices={data.devices}
                takes={props.draft.take_port53 === true}
                onChange={props.onTakePort53}
              />
            </Body>
          )}
        </Loading>
      )}
    </Dialog>
  );
}

function Body(props: {
  data: Answer;
  before: Settings | null;
  after: Settings;
  reload: () => void;
  children: ReactNode;
}) {
  const { data, before, after, reload } = props;
  const { devices, totals, effects } = data;
  return (
    <>
      {devices.length === 0 && <p className="notice">{t('gateway.apply_none')}</p>}
      <UnconfirmedDevices devices={devices} onConfirmed={reload} />
      {totals.offline > 0 && <p className="notice">{t('wireless.offline')}</p>}
      {totals.changed > 0 && <p className="notice">{t('gateway.apply_wired')}</p>}
      {devices.some(({ first, effect }) => first && effect === 'changed') && (
        <p className="notice notice-warn">{t('gateway.apply_first')}</p>
      )}
      {devices.some(hasWrongSetting) && <p className="notice notice-bad">{t('gateway.apply_wrong')}</p>}
      {effects.length > 0 && (
        <Suspense fallback={<Skeleton height={48} />}>
          <Effects effects={effects} />
        </Suspense>
      )}
      {devices.map((device) => (
        <div key={device.serial} className="row">
          <strong className="ellipsis">{device.name}</strong>
          {device.status !== 'online' && <StatusTag status={device.status} />}
          <EffectTag effect={device.effect} />
        </div>
      ))}
      {devices.map((device) => (
        <Findings key={device.serial} list={device.findings} />
      ))}
      {props.children}
      <Suspense fallback={<Skeleton height={120} />}>
        <Diff before={before} after={after} />
      </Suspense>
      {devices.map((device) => (
        <Document key={device.serial} device={device} />
      ))}
    </>
  );
}

function Document({ device }: { device: Answer['devices'][number] }) {
  const lines = device.changes.flatMap(leavesOf);
  const n = lines.length + device.more;
  if (n === 0) return null;
  return (
    <details className="gateway-document">
      <summary className="small">{t('gateway.document', { n })}</summary>
      <DocumentDiff lines={lines} more={device.more} />
    </details>
  );
}

/** Whether a setting must change: port 53 is freed here or on the machine. */
const hasWrongSetting = ({ findings }: Answer['devices'][number]) =>
  findings.some(({ severity, code }) => severity === 'wrong' && !code.startsWith('port53_'));

/** Asks for the consent that another DNS server of the host may be stopped. */
function TakePort53(props: { devices: Answer['devices']; takes: boolean; onChange: (takes: boolean) => void }) {
  const asked = props.devices
    .flatMap(({ findings }) => findings)
    .find(({ code }) => code === 'port53_in_use' || code === 'port53_taken');
  if (!asked) return null;
  return (
    <SwitchField checked={props.takes} onChange={props.onChange}>
      {t('gateway.take_port53', { process: String(asked.params.process) })}
    </SwitchField>
  );
}
