import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField, SwitchField } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useRested } from '../../ui/use-rested.ts';
import type { ImageRow } from './images.tsx';
import { type PlanField, PlanFields, planOf, planWrong, usualPlan } from './plan-fields.tsx';

type Planned = Data<'/api/v3/firmware/upgrade/preview'>['devices'][number];

/** Upgrades the devices that an image is for: which of them, in what waves, when. */
export function UpgradeDialog({ image, onClose }: { image: ImageRow; onClose: () => void }) {
  const [plan, setPlan] = useState(usualPlan);
  const [backup, setBackup] = useState(true);
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const form = useForm<PlanField>();
  // everybody whom the image is for, whatever is ticked
  const all = useRead('/api/v3/firmware/upgrade/preview', { image_id: image.id, first: 0, percent: 100 });
  const devices = all.data?.devices ?? [];
  const serials = devices.filter(({ serial }) => !out.has(serial)).map(({ serial }) => serial);
  const waves = useWaves(image.id, serials, Number(plan.first), Number(plan.percent));
  const send = () =>
    form.send(planWrong(plan), async () => {
      const input = { image_id: image.id, serials, ...planOf(plan), backup };
      const { job_id } = await call('/api/v3/firmware/upgrade/start', input);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
      openJobs(job_id);
    });
  const change = (some: readonly string[], on: boolean) => {
    const next = new Set(out);
    for (const serial of some) {
      if (on) next.delete(serial);
      else next.add(serial);
    }
    setOut(next);
  };
  return (
    <Dialog
      wide
      title={t('firmware.upgrade_title', { version: image.version })}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy} disabled={serials.length === 0}>
          {t('firmware.upgrade_n', { n: serials.length })}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        {all.error ? (
          <Failed error={all.error} retry={() => void all.refetch()} small />
        ) : (
          <Loading until={all.data !== undefined} lines={4}>
            <Models devices={devices} out={out} change={change} />
            <Devices devices={devices} out={out} change={change} waves={waves} />
          </Loading>
        )}
        <PlanFields draft={plan} onChange={setPlan} wrong={form.wrong} />
        <SwitchField checked={backup} onChange={setBackup}>
          {t('firmware.backup_first')}
        </SwitchField>
        <p className="small dim">{t('firmware.plan_note')}</p>
      </div>
    </Dialog>
  );
}

/** The wave of each chosen device, as the server would make them. */
function useWaves(imageId: string, serials: readonly string[], first: number, percent: number) {
  const sound = Number.isInteger(first) && first >= 0 && first <= 100 && percent >= 1 && percent <= 100;
  const input = { image_id: imageId, serials: [...serials], first, percent: Math.round(percent) };
  const asked = useRested(JSON.stringify(input));
  const { data } = useQuery({
    queryKey: ['/api/v3/firmware/upgrade/preview', 'waves', asked],
    queryFn: ({ signal }) => call('/api/v3/firmware/upgrade/preview', JSON.parse(asked) as typeof input, { signal }),
    enabled: sound && serials.length > 0,
    placeholderData: keepPreviousData,
  });
  return new Map(data?.devices.map(({ serial, wave }) => [serial, wave]));
}

interface Choosing {
  devices: readonly Planned[];
  out: ReadonlySet<string>;
  change: (serials: readonly string[], on: boolean) => void;
}

/** A box for each model, where there are several: a bad one is left out at a stroke. */
function Models({ devices, out, change }: Choosing) {
  const models = [...new Set(devices.map(({ model }) => model ?? '—'))];
  if (models.length < 2) return null;
  return (
    <fieldset className="firmware-models">
      <legend className="field-label">{t('firmware.models')}</legend>
      {models.map((model) => {
        const own = devices.filter((device) => (device.model ?? '—') === model).map(({ serial }) => serial);
        return (
          <CheckField key={model} checked={own.some((serial) => !out.has(serial))} onChange={(on) => change(own, on)}>
            {t('firmware.model_n', { model, n: own.length })}
          </CheckField>
        );
      })}
    </fieldset>
  );
}

function Devices({ devices, out, change, waves }: Choosing & { waves: ReadonlyMap<string, number> }) {
  if (devices.length === 0) return <p className="quiet">{t('firmware.nobody_left')}</p>;
  // who is first is seen first; who is left out stays where it was taken out of
  const waveOf = ({ serial }: Planned) => waves.get(serial) ?? 0;
  const ordered = devices.toSorted((a, b) => waveOf(a) - waveOf(b));
  return (
    <fieldset className="picks">
      <legend className="field-label">
        {t('firmware.devices_n', { n: devices.length - out.size, all: devices.length })}
      </legend>
      <div className="pick-list firmware-devices">
        {ordered.map(({ serial, name, network, from, online }) => {
          const wave = out.has(serial) ? undefined : waves.get(serial);
          return (
            <div key={serial} className="firmware-device">
              <CheckField checked={!out.has(serial)} onChange={(on) => change([serial], on)}>
                {name}
              </CheckField>
              <span className="small dim ellipsis">{network}</span>
              <span className="small ellipsis">{from ?? '—'}</span>
              <span>
                {!online && <Tag tone="none">{t('status.offline')}</Tag>}
                {wave !== undefined && <Tag tone="info">{t('firmware.wave', { n: wave + 1 })}</Tag>}
              </span>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
