import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError, SelectField } from '../../../ui/field.tsx';
import { NameField, NumberField, whole } from '../../../ui/rule-fields.tsx';
import { useForm } from '../../../ui/use-form.ts';

const maxDevices = 1000;
const devicesRule = whole(1, maxDevices);
const lifetimes = ['1', '7', '30', '90', '365', ''] as const;

export function BindingCodeDialog({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [name, setName] = useState('');
  const [devices, setDevices] = useState('1');
  const [days, setDays] = useState<(typeof lifetimes)[number]>('7');
  const form = useForm<'name' | 'max_devices' | 'days'>({ 4106: 'name' });
  const create = () =>
    form.send(
      {
        name: fieldError('nameText', name),
        max_devices:
          devices === '' || devicesRule.test(devices) ? null : t('validation.between', { min: 1, max: maxDevices }),
      },
      async () => {
        await call('/api/v3/binding/code/create', {
          name,
          ...(devices === '' ? {} : { max_devices: Number(devices) }),
          ...(days === '' ? {} : { days: Number(days) }),
        });
        onMade();
      },
    );
  return (
    <Dialog
      title={t('codes.create')}
      onClose={onClose}
      onSubmit={create}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('codes.create_submit')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <NameField
          label={t('codes.name')}
          hint={t('codes.name_hint')}
          value={name}
          onChange={setName}
          error={form.wrong.name}
          autoFocus
        />
        <NumberField
          label={t('codes.max_devices')}
          hint={t('codes.max_devices_hint')}
          min={1}
          max={maxDevices}
          value={devices}
          onChange={setDevices}
          error={form.wrong.max_devices}
        />
        <SelectField
          label={t('codes.days')}
          value={days}
          options={lifetimes.map((value) => ({
            value,
            label: value === '' ? t('codes.never_expires') : t('codes.days_n', { n: Number(value) }),
          }))}
          onChange={setDays}
          error={form.wrong.days}
        />
      </div>
    </Dialog>
  );
}
