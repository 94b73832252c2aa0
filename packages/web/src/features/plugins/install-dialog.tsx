import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, SelectField, SwitchField, TextField } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { NumberField } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type Plugin, type PluginDevice, refreshPlugins, shownText } from './plugin.ts';

type Settings = NonNullable<Input<'/api/v3/plugin/install'>['settings']>;
type Schema = Plugin['settings']['properties'][string];

interface Props {
  plugin: Plugin;
  /** Gateway whose settings change; null: gateways are chosen for an installation. */
  device: PluginDevice | null;
  onClose: () => void;
}

export function InstallDialog({ plugin, device, onClose }: Props) {
  const name = shownText(plugin.name);
  const free = plugin.devices.filter(({ unfit, install }) => unfit === null && install === null);
  const [serials, setSerials] = useState<readonly string[]>(
    device ? [device.serial] : free.length === 1 ? free.map(({ serial }) => serial) : [],
  );
  const schemas = Object.entries(plugin.settings.properties);
  const [values, setValues] = useState<Settings>(() =>
    Object.fromEntries(schemas.map(([key, schema]) => [key, device?.install?.settings[key] ?? schema.default])),
  );
  const { wrong, busy, fields, send } = useForm<string>();
  const submit = () =>
    send({ serials: serials.length > 0 ? null : t('plugins.choose_one') }, async () => {
      const { job_id } = await call('/api/v3/plugin/install', {
        id: plugin.id,
        serials: [...serials],
        settings: values,
      });
      onClose();
      openJobs(job_id);
      await refreshPlugins();
    });
  const choose = (serial: string, on: boolean) =>
    setSerials((now) => (on ? [...now, serial] : now.filter((one) => one !== serial)));
  return (
    <Dialog
      title={device ? t('plugins.settings_title', { name, device: device.name }) : t('plugins.install_title', { name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(device ? 'action.save' : 'plugins.install')}
        </SendFoot>
      }
    >
      <div className="stack" ref={fields}>
        {!device && (
          <fieldset className="stack stack-s">
            <legend className="field-label">{t('plugins.choose')}</legend>
            {free.map(({ serial, name: host, network }) => (
              <CheckField key={serial} checked={serials.includes(serial)} onChange={(on) => choose(serial, on)}>
                {network ? `${host} · ${network}` : host}
              </CheckField>
            ))}
            {wrong.serials && (
              <p className="field-error" role="alert">
                {wrong.serials}
              </p>
            )}
          </fieldset>
        )}
        {schemas.map(([key, schema]) => (
          <SettingField
            key={key}
            schema={schema}
            value={values[key]!}
            error={wrong[`settings.${key}`]}
            onChange={(value) => setValues((now) => ({ ...now, [key]: value }))}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface FieldProps {
  schema: Schema;
  value: string | number | boolean;
  error: string | null | undefined;
  onChange: (value: string | number | boolean) => void;
}

function SettingField({ schema, value, error, onChange }: FieldProps) {
  const label = shownText(schema.title);
  const hint = schema.description && shownText(schema.description);
  if (schema.type === 'boolean')
    return (
      <SwitchField checked={value === true} onChange={onChange}>
        {label}
      </SwitchField>
    );
  if (schema.type === 'integer')
    return (
      <NumberField
        label={label}
        min={schema.minimum ?? 0}
        max={schema.maximum ?? Number.MAX_SAFE_INTEGER}
        value={String(value)}
        error={error}
        onChange={(text) => onChange(text === '' ? '' : Number(text))}
        {...(hint && { hint })}
      />
    );
  if (schema.enum)
    return (
      <SelectField
        label={label}
        hint={hint}
        value={String(value)}
        options={schema.enum.map((one) => ({ value: one, label: one }))}
        onChange={onChange}
        error={error}
      />
    );
  return <TextField label={label} hint={hint} value={String(value)} onChange={onChange} error={error} />;
}
