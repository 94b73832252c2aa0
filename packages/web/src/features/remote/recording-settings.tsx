import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { SwitchField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { refreshSessions, type Session } from './remote-session.ts';
import './remote.css';

type Settings = Data<'/api/v3/remote/settings'>;

const mostDays = 400;

export function RemoteSettings() {
  const { gwids } = useUser();
  const may = useMay('account.write') && !gwids;
  const { data } = useRead('/api/v3/remote/settings', {});
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  const { enabled, record, record_days: n } = data;
  return (
    <Card>
      <div className="stack">
        {enabled && (
          <div className="row">
            <div className="row remote-state">
              <Tag tone="ok" shape="dot">
                {t('remote.allowed')}
              </Tag>
              <span className="quiet">{record ? t('remote.record_state', { n }) : t('remote.record_state_off')}</span>
            </div>
            {may && (
              <Button icon="sliders" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {t('remote.settings')}
              </Button>
            )}
          </div>
        )}
        {(!enabled || isOpen) && <Form settings={data} may={may} onAllowed={() => setOpen(true)} />}
      </div>
    </Card>
  );
}

function Form({ settings, may, onAllowed }: { settings: Settings; may: boolean; onAllowed: () => void }) {
  const { enabled, record, record_days: days, version } = settings;
  const save = useWrite('/api/v3/remote/settings/save', [
    '/api/v3/remote/settings',
    '/api/v3/remote/list',
    '/api/v3/remote/targets',
  ]);
  const change = async (changed: Partial<Settings>, done: string) => {
    // the error is shown already
    const saved = await save.mutateAsync({ enabled, ...changed, version }).catch(() => null);
    if (saved) notify('ok', done);
  };
  const allow = () => {
    onAllowed();
    return change({ enabled: true }, t('remote.allowed'));
  };
  const forbid = () => change({ enabled: false }, t('remote.forbidden'));
  return (
    <>
      <div>
        <SwitchField
          checked={enabled}
          disabled={!may || save.isPending}
          onChange={(on) => void (on ? allow() : askToForbid(forbid))}
        >
          {t('remote.enabled')}
        </SwitchField>
        <p className="small dim">{t(may ? 'remote.enabled_hint' : 'remote.enabled_why')}</p>
      </div>
      {may && (
        <div>
          <SwitchField
            checked={record}
            disabled={save.isPending}
            onChange={(on) => void change({ record: on }, t(on ? 'remote.record_on' : 'remote.record_off'))}
          >
            {t('remote.record')}
          </SwitchField>
          <p className="small dim">{t('remote.record_hint')}</p>
          <Days
            key={days}
            saved={days}
            busy={save.isPending}
            onSave={(n) => void change({ record_days: n }, t('remote.record_days_saved', { n }))}
          />
        </div>
      )}
    </>
  );
}

async function askToForbid(act: () => Promise<void>): Promise<void> {
  // without the count the question is asked all the same
  const open = await call('/api/v3/remote/list', { open: true, limit: 1 }).catch(() => null);
  ask({
    title: t('remote.forbid_title'),
    body: open ? t('remote.forbid_body', { n: open.total }) : t('remote.forbid_body_all'),
    confirm: t('remote.forbid'),
    danger: true,
    act,
  });
}

function Days({ saved, busy, onSave }: { saved: number; busy: boolean; onSave: (days: number) => void }) {
  const [typed, setTyped] = useState(String(saved));
  const isValid = whole(1, mostDays).test(typed);
  return (
    <form
      className="remote-days"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && Number(typed) !== saved) onSave(Number(typed));
      }}
    >
      <NumberField label={t('remote.record_days')} min={1} max={mostDays} value={typed} onChange={setTyped} />
      <Button type="submit" busy={busy} disabled={!isValid || Number(typed) === saved}>
        {t('action.save')}
      </Button>
    </form>
  );
}

export function askToDelete({ id, target: name }: Pick<Session, 'id' | 'target'>): void {
  ask({
    title: t('remote.recording_delete_title', { name }),
    body: t('remote.recording_delete_body'),
    confirm: t('action.delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/remote/recording/delete', { id });
      await refreshSessions();
    },
  });
}
