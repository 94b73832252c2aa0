import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead, useWrite } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { changedFields } from '../../../ui/changed-fields.ts';
import { Failed } from '../../../ui/empty.tsx';
import { SelectField, SwitchField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { SettingsForm } from '../../../ui/settings-form.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';
import { EditTags } from '../edit-tags.tsx';
import { Tags } from '../tag-list.tsx';
import { WeeklyFields, weeklyWrong } from '../weekly-fields.tsx';
import { ContactSettings } from './contact-settings.tsx';
import { MaintenanceNotice } from './maintenance-notice.tsx';
import { WeeklyRestarts } from './weekly-restarts.tsx';

type Network = Data<'/api/v3/network/detail'>;
type Window = Data<'/api/v3/network/window/get'>;

const lengths = ['60', '120', '180', '240', '360', '480'] as const;
const usual = { weekdays: [7], start: '02:00', minutes: 120 };

export function NetworkSettings({ data }: { data: Network }) {
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const [tagging, setTagging] = useState(false);
  const window = useRead('/api/v3/network/window/get', { gwid: data.gwid });
  return (
    <div className="grid">
      <Card
        className="span-5"
        title={t('networks.tags')}
        actions={
          mayWrite && (
            <Button icon="edit" onClick={() => setTagging(true)}>
              {t('action.edit')}
            </Button>
          )
        }
      >
        {data.tags.length > 0 ? <Tags tags={data.tags} /> : <p className="small dim">{t('settings.no_tags')}</p>}
        {tagging && <EditTags row={data} onClose={() => setTagging(false)} />}
      </Card>
      <Card className="span-7" title={t('window.title')}>
        <div className="stack">
          <MaintenanceNotice gwid={data.gwid} />
          {window.error && !window.data ? (
            <Failed error={window.error} retry={() => void window.refetch()} small />
          ) : (
            <Loading until={window.data !== undefined} lines={4}>
              {window.data && (
                <WindowForm
                  key={JSON.stringify(window.data.window)}
                  gwid={data.gwid}
                  data={window.data}
                  may={mayWrite}
                />
              )}
            </Loading>
          )}
        </div>
      </Card>
      <WeeklyRestarts gwid={data.gwid} may={mayReboot} />
      <ContactSettings gwid={data.gwid} may={mayWrite} />
    </div>
  );
}

function WindowForm({ gwid, data, may }: { gwid: string; data: Window; may: boolean }) {
  const [on, setOn] = useState(data.window !== null);
  const [began, setBegan] = useState(data.window);
  const [window, setWindow] = useState(began ?? usual);
  const [wrong, setWrong] = useState<string | null>(null);
  const save = useWrite('/api/v3/network/window/save', ['/api/v3/network/window/get', '/api/v3/log/action/list']);
  const chosen = lengths.find((length) => Number(length) === window.minutes);
  const found = weeklyWrong(window);
  const submit = async () => {
    setWrong(found.start);
    if (found.start || (on && found.weekdays)) return;
    const changed = began ? changedFields(window, began) : window;
    await save.mutateAsync({ gwid, window: on ? changed : null });
    setBegan(on ? window : null);
    notify('ok', t('window.saved'));
  };
  return (
    <SettingsForm may={may} busy={save.isPending} onSubmit={submit}>
      <p className="quiet">{t('window.body')}</p>
      {data.changes_at && (
        <p className="small">
          {data.open ? t('window.open') : t('window.next')} <ShortTime at={data.changes_at} />
        </p>
      )}
      <SwitchField checked={on} onChange={setOn} disabled={!may}>
        {t('window.weekly')}
      </SwitchField>
      {on && (
        <>
          <WeeklyFields
            value={window}
            onChange={(changed) => setWindow({ ...window, ...changed })}
            wrong={{ weekdays: found.weekdays, start: wrong }}
            zone={data.time_zone}
            disabled={!may}
          />
          <SelectField
            label={t('window.length')}
            value={chosen ?? '120'}
            disabled={!may}
            onChange={(length) => setWindow({ ...window, minutes: Number(length) })}
            options={lengths.map((value) => ({ value, label: t('window.hours', { n: Number(value) / 60 }) }))}
          />
        </>
      )}
    </SettingsForm>
  );
}
