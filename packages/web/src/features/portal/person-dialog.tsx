import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { download } from '../../ui/table/csv.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

const kinds = ['phone', 'account', 'login', 'mac'] as const;
type Kind = (typeof kinds)[number];
type Retention = Data<'/api/v3/portal/retention'>;

const path = '/api/v3/portal/retention';
const bounds = { min: 100, max: 1095 };

/** Data of one guest, and for how long the account keeps the data of all. */
export function PersonDialog({ onClose }: { onClose: () => void }) {
  const { data } = useRead(path, {});
  const mayConfigure = useMay('config.write');
  return (
    <Dialog
      title={t('site_portal.person')}
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <div className="stack">
        <PersonFields />
        {data && mayConfigure && <RetentionFields key={data.days} retention={data} />}
      </div>
    </Dialog>
  );
}

function PersonFields() {
  const [kind, setKind] = useState<Kind>('phone');
  const [value, setValue] = useState('');
  const form = useForm<'value'>();
  const missing = () => ({ value: value.trim() === '' ? t('validation.required') : null });
  const save = () =>
    form.send(missing(), async () => {
      const data = await call('/api/v3/portal/person/export', { kind, value });
      download('guest.json', JSON.stringify(data, null, 2), 'application/json');
    });
  const erase = () =>
    ask({
      title: t('site_portal.person_erase_title', { value }),
      body: t('site_portal.person_erase_body'),
      confirm: t('site_portal.person_erase'),
      danger: true,
      act: async () => {
        const done = await call('/api/v3/portal/person/erase', { kind, value });
        notify(done.online > 0 ? 'bad' : 'ok', t('site_portal.person_erased', { ...done }));
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/portal/session/list'] });
      },
    });
  return (
    <div className="fields" ref={form.fields}>
      <SelectField
        label={t('site_portal.person_kind')}
        value={kind}
        onChange={setKind}
        options={kinds.map((one) => ({ value: one, label: t(`site_portal.person_${one}`) }))}
      />
      <TextField
        label={t('site_portal.person_value')}
        hint={t(kind === 'login' ? 'site_portal.person_login_hint' : 'site_portal.person_value_hint')}
        value={value}
        onChange={setValue}
        maxLength={255}
        error={form.wrong.value}
      />
      <div className="row">
        <Button icon="download" onClick={save} busy={form.busy}>
          {t('site_portal.person_export')}
        </Button>
        <Button className="btn-bad" onClick={() => void erase()} disabled={value.trim() === ''}>
          {t('site_portal.person_erase')}
        </Button>
      </div>
    </div>
  );
}

function RetentionFields({ retention }: { retention: Retention }) {
  const [days, setDays] = useState(String(retention.days));
  const form = useForm<'days'>();
  const save = () =>
    form.send({ days: whole(bounds.min, bounds.max).test(days) ? null : t('validation.between', bounds) }, async () => {
      await call('/api/v3/portal/retention/save', { days: Number(days) });
      notify('ok', t('site_portal.retention_saved'));
      await queryClient.invalidateQueries({ queryKey: [path] });
    });
  return (
    <div className="fields" ref={form.fields}>
      <NumberField
        label={t('site_portal.retention_days')}
        hint={t('site_portal.retention_hint')}
        {...bounds}
        value={days}
        onChange={setDays}
        error={form.wrong.days}
      />
      <div className="row">
        <Button onClick={save} busy={form.busy}>
          {t('site_portal.save')}
        </Button>
      </div>
    </div>
  );
}
