import type { RemoteKind } from '@yunxun/contract';
import { type ReactNode, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { locale, t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { useSecondsUntil } from '../../ui/countdown.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { duration } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';
import { zonedTime } from '../../ui/zones.ts';
import type { RemoteTarget } from './remote-session.ts';
import { TargetFacts } from './target-facts.tsx';
import { TargetField } from './target-field.tsx';

const maxText = { guest: 64, purpose: 200 } as const;
const durations = ['15', '30', '60', '120', '240', '480'] as const;

export const refreshLinks = () => queryClient.invalidateQueries({ queryKey: ['/api/v3/remote/link/list'] });

interface Props {
  /** Absent: the dialog asks. */
  target?: RemoteTarget;
  name?: string;
  onClose: () => void;
}

export function LinkDialog({ target: given, name, onClose }: Props) {
  const [found, setFound] = useState<RemoteTarget | null>(null);
  const target = given ?? found;
  const { data } = useRead('/api/v3/remote/targets', target ?? {}, { enabled: target !== null });
  const ways = data?.list.filter(({ reason }) => reason === null || reason === 'offline') ?? [];
  const [chosen, setChosen] = useState<RemoteKind | null>(null);
  const way = ways.find(({ kind }) => kind === chosen) ?? ways[0];
  const reason = data && !way ? (data.list[0]?.reason ?? null) : null;
  const [guest, setGuest] = useState('');
  const [purpose, setPurpose] = useState('');
  const [minutes, setMinutes] = useState<(typeof durations)[number]>('60');
  const [made, setMade] = useState<Data<'/api/v3/remote/link/create'> | null>(null);
  const { wrong, busy, fields, send } = useForm<'target' | 'guest' | 'purpose' | 'kind'>();
  if (made)
    return (
      <LinkShown guest={guest} made={made} onClose={onClose}>
        {data && <TargetFacts name={data.name} network={data.network} />}
      </LinkShown>
    );
  const submit = () =>
    send(
      {
        target: target ? null : t('validation.required'),
        guest: fieldError('freeText', guest),
        purpose: fieldError('freeText', purpose),
      },
      async () => {
        if (!target || !way) return;
        const asked = { ...target, kind: way.kind, guest, purpose, minutes: Number(minutes) };
        setMade(await call('/api/v3/remote/link/create', asked));
        await refreshLinks();
      },
    );
  return (
    <Dialog
      title={name === undefined ? t('remote.link_create') : t('remote.link_title', { name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={target !== null && !way}>
          {t('remote.link_make')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p className="small dim">{t('remote.link_about')}</p>
        {!given && <TargetField onChange={setFound} error={wrong.target} />}
        {data && <TargetFacts name={data.name} network={data.network} />}
        {reason && (
          <p className="row" role="alert">
            <Icon name="alert" size={16} />
            <span>{t(`remote.reason_${reason}`)}</span>
          </p>
        )}
        {way && (
          <SelectField
            label={t('remote.kind')}
            value={way.kind}
            options={ways.map(({ kind }) => ({ value: kind, label: t(`remote.kind_${kind}`) }))}
            onChange={setChosen}
            error={wrong.kind}
          />
        )}
        {way?.kind === 'ssh' && data?.waits_for_key && (
          <p className="notice notice-warn" role="status">
            <Icon name="alert" size={16} />
            <span>{t('remote.link_waits_for_key')}</span>
          </p>
        )}
        <FreeTextField
          label={t('remote.guest')}
          hint={t('remote.guest_hint')}
          maxLength={maxText.guest}
          value={guest}
          onChange={setGuest}
          error={wrong.guest}
          autoFocus={given !== undefined}
        />
        <FreeTextField
          label={t('remote.purpose')}
          hint={t('remote.link_purpose_hint')}
          maxLength={maxText.purpose}
          value={purpose}
          onChange={setPurpose}
          error={wrong.purpose}
        />
        <SelectField
          label={t('remote.link_duration')}
          hint={t('remote.link_duration_hint')}
          value={minutes}
          options={durations.map((value) => ({ value, label: durationText(Number(value)) }))}
          onChange={setMinutes}
        />
      </div>
    </Dialog>
  );
}

const durationText = (minutes: number) =>
  minutes < 60 ? t('remote.minutes', { n: minutes }) : t('remote.hours', { n: minutes / 60 });

/** The technician reads the page in the language of the link's maker. */
function inThisLanguage(address: string): string {
  const url = new URL(address);
  url.searchParams.set('lang', locale());
  return url.href;
}

interface ShownProps {
  guest: string;
  made: Data<'/api/v3/remote/link/create'>;
  onClose: () => void;
  children: ReactNode;
}

function LinkShown({ guest, made, onClose, children }: ShownProps) {
  const [time, left] = [zonedTime(new Date(made.until)), duration(useSecondsUntil(made.until))];
  return (
    <Dialog
      title={t('remote.link_made', { name: guest })}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <div className="stack">
        {children}
        <p className="notice notice-warn">
          <Icon name="alert" size={16} />
          <span>{t('remote.link_once', { time, left })}</span>
        </p>
        <CopyText text={inThisLanguage(made.url)} label={t('action.copy')} block />
      </div>
    </Dialog>
  );
}
