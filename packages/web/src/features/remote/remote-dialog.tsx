import { useNavigate } from '@tanstack/react-router';
import type { RemoteKind, RemoteReason } from '@yunxun/contract';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import { LinkDialog } from './link-dialog.tsx';
import { isTerminal, type RemoteTarget, refreshSessions, sessionPath } from './remote-session.ts';
import { TargetFacts } from './target-facts.tsx';
import { TargetField } from './target-field.tsx';

const purposeLength = 200;
/** Until the page has measured itself. */
const firstSize = { cols: 80, rows: 24 };

const portReasons = ['no_port', 'no_web_port', 'no_screen_port', 'rdp'] as const satisfies RemoteReason[];
const lacksPort = (reason: RemoteReason | null) => portReasons.some((one) => one === reason);

interface Props {
  /** Absent: the dialog asks. */
  target?: RemoteTarget;
  name?: string;
  /** Of the session that is opened again. */
  last?: { kind: RemoteKind; purpose: string };
  onClose: () => void;
}

export function RemoteDialog({ target: given, name, last, onClose }: Props) {
  const [found, setFound] = useState<RemoteTarget | null>(null);
  const target = given ?? found;
  const { data } = useRead('/api/v3/remote/targets', target ?? {}, { enabled: target !== null });
  const settings = useRead('/api/v3/remote/settings', {});
  const navigate = useNavigate();
  const [purpose, setPurpose] = useState(last?.purpose ?? '');
  const [chosen, setChosen] = useState<RemoteKind | null>(last?.kind ?? null);
  const [isGiven, setGiven] = useState(false);
  const { wrong, busy, fields, send } = useForm<'target' | 'purpose' | 'kind'>();
  const ways = data?.list ?? [];
  const hasPort = ways.filter((one) => !lacksPort(one.reason));
  const way =
    hasPort.find(({ kind }) => kind === chosen) ?? hasPort.find((one) => one.reason === null) ?? hasPort[0] ?? ways[0];
  const reason = way?.reason ?? null;
  const lacks = portReasons.filter((lack) => lack !== reason && ways.some((one) => one.reason === lack));
  const submit = () =>
    send({ target: target ? null : t('validation.required'), purpose: fieldError('freeText', purpose) }, async () => {
      if (!target || !way) return;
      const { id } = await call('/api/v3/remote/open', { ...target, kind: way.kind, purpose, ...firstSize });
      await refreshSessions();
      onClose();
      await navigate({ to: sessionPath({ id, kind: way.kind }) });
    });
  const isReady = target === null || (way !== undefined && reason === null);
  if (isGiven && target) return <LinkDialog target={target} name={name ?? data?.name ?? ''} onClose={onClose} />;
  return (
    <Dialog
      title={name === undefined ? t('remote.open_any') : t('remote.open_title', { name })}
      onClose={onClose}
      onSubmit={() => void (isReady && submit())}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={!isReady || settings.isPending}>
          {t('remote.open_session')}
        </SendFoot>
      }
    >
      <Loading until={(!given || data !== undefined) && !settings.isPending}>
        <div ref={fields} className="stack">
          {!given && <TargetField onChange={setFound} error={wrong.target} />}
          {given && data && <TargetFacts name={data.name} network={data.network} />}
          {reason && (
            <p className="row" role="alert">
              <Icon name="alert" size={16} />
              <span>{t(`remote.reason_${reason}`)}</span>
            </p>
          )}
          {ways.length > 1 && way && (
            <SelectField
              label={t('remote.kind')}
              value={way.kind}
              options={ways.map((one) => optionOf(one.kind, !hasPort.includes(one)))}
              onChange={setChosen}
              hint={lacks.length > 0 && lacks.map((lack) => <div key={lack}>{t(`remote.reason_${lack}`)}</div>)}
              error={wrong.kind}
            />
          )}
          <FreeTextField
            label={t('remote.purpose')}
            hint={t('remote.purpose_hint')}
            maxLength={purposeLength}
            value={purpose}
            onChange={setPurpose}
            error={wrong.purpose}
            autoFocus={given !== undefined}
          />
          {way && (reason === null || reason === 'offline') && (
            <Button kind="link" onClick={() => setGiven(true)}>
              {t('remote.link_give')}
            </Button>
          )}
          {way && isTerminal(way.kind) && settings.data?.record && <p className="small">{t('remote.recorded_here')}</p>}
          {way?.kind === 'web' && <p className="small dim">{t('remote.web_hint')}</p>}
          {way?.kind === 'vnc' && <p className="small dim">{t('remote.vnc_hint')}</p>}
          {way?.kind === 'telnet' && <p className="small dim">{t('remote.telnet_hint')}</p>}
        </div>
      </Loading>
    </Dialog>
  );
}

function optionOf(value: RemoteKind, disabled: boolean) {
  const kind = t(`remote.kind_${value}`);
  return { value, label: disabled ? t('remote.kind_no_port', { kind }) : kind, disabled };
}
