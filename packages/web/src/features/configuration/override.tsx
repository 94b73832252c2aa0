import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { SwitchField, TextField } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { type Band, modes, type Radio, widths } from './draft.ts';
import { everything, type RadioField, RadioTable } from './radio-table.tsx';
import { effectiveText } from './radios.tsx';
import './configuration.css';

type Settings = Data<'/api/v3/ap/override/get'>;

export function Override({ serial, routes, onClose }: { serial: string; routes: boolean; onClose: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/ap/override/get', { serial });
  if (data) return <Form settings={data} routes={routes} onClose={onClose} />;
  return (
    <Dialog wide title={t('override.title')} onClose={onClose}>
      {error ? <Failed error={error} retry={() => void refetch()} small /> : <Loading until={false}>{null}</Loading>}
    </Dialog>
  );
}

function Form({ settings, routes, onClose }: { settings: Settings; routes: boolean; onClose: () => void }) {
  const [radios, setRadios] = useState<readonly Radio[]>(settings.radios);
  const [off, setOff] = useState<readonly string[]>(settings.ssids_off);
  const [lan, setLan] = useState(settings.lan_address ?? '');
  const [wrong, setWrong] = useState<string | undefined>();
  const save = useWrite(
    '/api/v3/ap/override/save',
    [
      '/api/v3/ap/override/get',
      '/api/v3/device/config/get',
      '/api/v3/ap/detail',
      '/api/v3/ap/list',
      '/api/v3/job/list',
    ],
    { quiet: true },
  );
  const content = {
    radios: radios.filter((radio) =>
      [radio.enabled, radio.channel, radio.width, radio.mode, radio.power].some((value) => value !== null),
    ),
    ssids_off: [...off],
    ...(routes ? { lan_address: lan || null } : {}),
  };
  const [begun] = useState(() => JSON.stringify(content));
  const leave = useUnsaved(JSON.stringify(content) !== begun, onClose);
  const shown = settings.capabilities.map((each) => each.band);
  const radioOf = (band: Band): Radio =>
    radios.find((radio) => radio.band === band) ?? {
      band,
      enabled: null,
      channel: null,
      width: null,
      mode: null,
      power: null,
    };
  const set = (band: Band, part: Partial<Radio>) =>
    setRadios([...radios.filter((radio) => radio.band !== band), { ...radioOf(band), ...part }]);
  const submit = async () => {
    try {
      const { job_id } = await save.mutateAsync({
        serial: settings.serial,
        version: settings.version,
        ...content,
      });
      onClose();
      openJobs(job_id);
    } catch (error) {
      if (error instanceof ApiError) setWrong(error.field('lan_address'));
      notifyError(error);
    }
  };
  return (
    <Dialog
      wide
      title={t('override.title')}
      onClose={leave}
      onSubmit={submit}
      foot={
        <SendFoot onClose={leave} busy={save.isPending}>
          {t('override.push')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('override.body')}</p>
      {shown.length > 0 && (
        <RadioTable
          bands={shown}
          radioOf={radioOf}
          inherited={(band, field) => inheritedText(settings, band, field)}
          locked={(band, field) => settings.effective.find((each) => each.band === band)?.[field].locked ?? false}
          offer={(band) => offerOf(settings, band)}
          set={set}
          readOnly={false}
        />
      )}
      {settings.ssids.length > 0 && (
        <fieldset className="bands override-ssids">
          <legend className="field-label">{t('override.ssids')}</legend>
          {settings.ssids.map((ssid) => (
            <SwitchField
              key={ssid.id}
              checked={ssid.locked || !off.includes(ssid.id)}
              disabled={ssid.locked}
              onChange={(on) => setOff(on ? off.filter((id) => id !== ssid.id) : [...off, ssid.id])}
            >
              {ssid.name}
            </SwitchField>
          ))}
        </fieldset>
      )}
      {routes && (
        <TextField
          label={t('override.lan')}
          value={lan}
          onChange={setLan}
          error={wrong}
          placeholder="192.168.1.1/24"
          hint={t('override.lan_hint')}
        />
      )}
    </Dialog>
  );
}

/** Describes value and layer; if an own value hides them, only "inherits". */
function inheritedText(settings: Settings, band: Band, field: RadioField): string {
  const effective = settings.effective.find((each) => each.band === band);
  if (!effective) return t('override.inherit');
  const { source, locked } = effective[field];
  if (source === 'device') return t('override.inherit');
  const value = effectiveText(effective, field);
  if (source === 'default') return t('wireless.inherit', { value });
  return t(locked ? `override.locked_${source}` : `override.from_${source}`, { value });
}

function offerOf(settings: Settings, band: Band) {
  const all = everything(band);
  const able = settings.capabilities.find((each) => each.band === band);
  if (!able) return all;
  const known = <T,>(listed: readonly T[], every: readonly T[]) =>
    listed.length > 0 ? every.filter((each) => listed.includes(each)) : every;
  return {
    channels: able.channels.length > 0 ? able.channels : all.channels,
    widths: known(able.widths, widths[band]),
    modes: known(able.modes, modes[band]),
  };
}
