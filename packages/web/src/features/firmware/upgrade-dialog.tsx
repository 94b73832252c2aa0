import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
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
import { useDebounced } from '../../ui/use-debounced.ts';
import { useForm } from '../../ui/use-form.ts';
import type { ImageRow } from './image-row.ts';
import { type PlanField, PlanFields, planOf, planWrong, usualPlan } from './plan-fields.tsx';
import './firmware.css';

type Planned = Data<'/api/v3/firmware/upgrade/preview'>['devices'][number];

interface Props {
  image: Pick<ImageRow, 'id' | 'version'>;
  /** Limits the upgrade to these devices; default: all that match the image. */
  among?: readonly string[];
  before?: ReactNode;
  onClose: () => void;
  done?: () => void;
}

export function UpgradeDialog({ image, among, before, onClose, done }: Props) {
  const [plan, setPlan] = useState(usualPlan);
  const [backup, setBackup] = useState(true);
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const form = useForm<PlanField>();
  // independent of the selection: all devices that match the image
  const all = useRead('/api/v3/firmware/upgrade/preview', {
    image_id: image.id,
    first: 0,
    percent: 100,
    ...(among && { serials: [...among] }),
  });
  const { devices, left_out: left, beyond } = all.data ?? { devices: [], left_out: [], beyond: 0 };
  const chosen = devices.filter(({ serial }) => !out.has(serial));
  const serials = chosen.map(({ serial }) => serial);
  const waves = useWaves(image.id, serials, Number(plan.first), Number(plan.percent));
  const send = () =>
    form.send(planWrong(plan), async () => {
      const input = { image_id: image.id, serials, ...planOf(plan), backup };
      const { job_id } = await call('/api/v3/firmware/upgrade/start', input);
      onClose();
      done?.();
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
        {before}
        {all.error ? (
          <Failed error={all.error} retry={() => void all.refetch()} small />
        ) : (
          <Loading until={all.data !== undefined} lines={4}>
            <Models devices={devices} out={out} change={change} />
            <Devices devices={devices} chosen={chosen.length} out={out} change={change} waves={waves} />
            {beyond > 0 && <p className="small">{t('firmware.beyond', { n: beyond })}</p>}
            <LeftOut left={left} />
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

function useWaves(imageId: string, serials: readonly string[], first: number, percent: number) {
  const sound = Number.isInteger(first) && first >= 0 && first <= 100 && percent >= 1 && percent <= 100;
  const input = { image_id: imageId, serials: [...serials], first, percent: Math.round(percent) };
  const wanted = JSON.stringify(input);
  const asked = useDebounced(wanted);
  const { data } = useQuery({
    queryKey: ['/api/v3/firmware/upgrade/preview', 'waves', asked],
    queryFn: ({ signal }) => call('/api/v3/firmware/upgrade/preview', JSON.parse(asked) as typeof input, { signal }),
    enabled: sound && serials.length > 0 && asked === wanted,
    placeholderData: keepPreviousData,
  });
  return new Map(data?.devices.map(({ serial, wave }) => [serial, wave]));
}

interface Choosing {
  devices: readonly Planned[];
  out: ReadonlySet<string>;
  change: (serials: readonly string[], on: boolean) => void;
}

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

const SHOWN = 50;

function Devices({
  devices,
  chosen,
  out,
  change,
  waves,
}: Choosing & { chosen: number; waves: ReadonlyMap<string, number> }) {
  const [word, setWord] = useState('');
  if (devices.length === 0) return <p className="quiet">{t('firmware.nobody_left')}</p>;
  // ordered by wave; an unticked device keeps its place
  const waveOf = ({ serial }: Planned) => waves.get(serial) ?? 0;
  const searched = word.trim().toLowerCase();
  const found = devices
    .filter((device) => wordsOf(device).includes(searched))
    .toSorted((a, b) => waveOf(a) - waveOf(b));
  const shown = found.slice(0, SHOWN);
  return (
    <fieldset className="picks">
      <legend className="field-label">{t('firmware.devices_n', { n: chosen, all: devices.length })}</legend>
      {devices.length > SHOWN && (
        <input
          className="input input-s"
          aria-label={t('firmware.find')}
          placeholder={t('firmware.find')}
          value={word}
          onChange={(event) => setWord(event.target.value)}
          onKeyDown={(event) => {
            // Enter searches; it must not submit the form
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      )}
      <div className="pick-list firmware-devices">
        {shown.map(({ serial, name, network, from, online }) => {
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
        {found.length === 0 && <p className="quiet">{t('empty.no_hits')}</p>}
      </div>
      {found.length > shown.length && (
        <p className="small dim">{t('firmware.more', { n: found.length - shown.length })}</p>
      )}
    </fieldset>
  );
}

const wordsOf = ({ serial, name, network, model, from }: Planned) =>
  [serial, name, network, model, from].join(' ').toLowerCase();

const NAMED = 5;

function LeftOut({ left }: { left: Data<'/api/v3/firmware/upgrade/preview'>['left_out'] }) {
  const reasons = [...new Set(left.map(({ why }) => why))];
  if (reasons.length === 0) return null;
  return (
    <section className="firmware-left">
      <h3 className="field-label">{t('firmware.left_out', { n: left.length })}</h3>
      <ul className="small">
        {reasons.map((reason) => {
          const names = left.filter(({ why }) => why === reason).map(({ name }) => name);
          const some = names.slice(0, NAMED).join(t('list.between'));
          return (
            <li key={reason}>
              {t(`firmware.left_${reason}`, { n: names.length })}{' '}
              <span className="dim">{names.length > NAMED ? `${some}…` : some}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
