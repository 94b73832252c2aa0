import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError, UNREACHABLE } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { exactTime } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { NetworkPick } from '../../ui/networks-field.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { backupsChanged } from './actions.ts';
import { type BackupRow, type RestoreRow, sections } from './labels.tsx';
import { RestoreCheck } from './restore-check.tsx';

type Check = Data<'/api/v3/cloud_backup/restore_check'>;
type Section = RestoreRow['sections'][number];
type PortMap = Check['port_map'];
type BandMap = Check['band_map'];

const nowhere = '—';

export function RestoreDialog(props: {
  row: BackupRow;
  sections?: readonly Section[];
  successor?: { from: string; to: string };
  back?: () => void;
  onClose: () => void;
}) {
  const { row, onClose, successor, back } = props;
  const [chosen, setChosen] = useState<readonly Section[]>(props.sections ?? sections);
  const [elsewhere, setElsewhere] = useState(false);
  const [other, setOther] = useState<{ gwid: string; remark: string } | null>(null);
  const gwid = elsewhere ? other?.gwid : row.gwid;
  const [map, setMap] = useState<PortMap | null>(null);
  const [bands, setBands] = useState<BandMap | null>(null);
  const [typed, setTyped] = useState('');
  const [replaced, setReplaced] = useState(false);
  const unanswered = useRef(false);
  const form = useForm<'typed'>();
  const wanted = {
    id: row.id,
    ...(gwid !== undefined && { gwid }),
    sections: [...chosen],
    ...(map && { port_map: map }),
    ...(bands && { band_map: bands }),
    ...(successor && { successor }),
  };
  const check = useQuery<Check>({
    queryKey: ['/api/v3/cloud_backup/restore_check', wanted],
    queryFn: ({ signal }) => call('/api/v3/cloud_backup/restore_check', wanted, { signal }),
    enabled: chosen.length > 0 && gwid !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  const { error, isFetching, refetch } = check;
  // the query may still hold the previous network's answer
  const data = gwid === undefined ? undefined : check.data;
  const changes = data !== undefined && (data.settings.changes.length > 0 || data.preview.totals.changed > 0);
  const ready = data?.ok === true && chosen.length > 0 && !isFetching && typed.trim() === data.network;
  const takePlace = async ({ from, to }: { from: string; to: string }) => {
    try {
      await call('/api/v3/ap/replace', { serial: from, by: to, delete_empty: true });
    } catch (problem) {
      const code = problem instanceof ApiError ? problem.code : null;
      // the previous answer was lost: 4113 means that the replacement has succeeded
      if (code === 4113 && unanswered.current) return;
      unanswered.current = code === UNREACHABLE;
      throw problem;
    }
  };
  const send = () =>
    form.send({ typed: typed.trim() === data?.network ? null : t('backup.type_name') }, async () => {
      if (!data || !ready) return;
      if (successor && !replaced) {
        await takePlace(successor);
        // a retry after this point must not replace again
        setReplaced(true);
      }
      try {
        const { job_id } = await call('/api/v3/cloud_backup/restore', {
          ...wanted,
          port_map: data.port_map,
          band_map: data.band_map,
          base: data.base,
        });
        onClose();
        await Promise.all([backupsChanged(), queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] })]);
        if (successor) {
          notify('ok', t('backup.replaced', { name: data.network }));
          await queryClient.invalidateQueries();
        }
        if (job_id) openJobs(job_id);
        else notify('ok', t('backup.restored_nobody', { name: data.network }));
      } catch (problem) {
        // the settings changed meanwhile: refetch the check
        if (problem instanceof ApiError && problem.code === 4104) void refetch();
        throw problem;
      }
    });
  const target = (toOther: boolean, network: typeof other) => {
    setElsewhere(toOther);
    setOther(network);
    setMap(null);
    setBands(null);
    setTyped('');
  };
  const toggle = (section: Section, on: boolean) =>
    setChosen(sections.filter((one) => (one === section ? on : chosen.includes(one))));
  const air = chosen.includes('wireless') || chosen.includes('devices');
  // no table needed if every band maps to itself
  const moving = data?.band_map.some(({ from }) => !data.bands.includes(from)) === true;
  const onAir = data && air && data.bands.length > 0 && moving ? data.band_map : [];
  const mapped = data && chosen.includes('gateway') && data.ports.length > 0 ? data.port_map : [];
  return (
    <Dialog
      wide
      title={
        successor
          ? t('backup.replace_title', { name: row.network })
          : t('backup.restore_title', { at: exactTime(new Date(row.created_at)) })
      }
      onClose={onClose}
      onSubmit={send}
      foot={
        <>
          {back && !replaced && <Button onClick={back}>{t('backup.back')}</Button>}
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="danger" type="submit" busy={form.busy} disabled={!ready}>
            {t(successor && !replaced ? 'backup.replace_go' : 'backup.restore')}
          </Button>
        </>
      }
    >
      <div className="fields" ref={form.fields}>
        {!successor && (
          <Choice
            label={t('backup.target')}
            value={elsewhere ? 'other' : 'own'}
            options={[
              { value: 'own', label: row.network },
              { value: 'other', label: t('backup.target_else') },
            ]}
            onChange={(next) => target(next === 'other', other)}
          />
        )}
        {elsewhere && (
          <>
            <p className="small dim">{t('backup.target_other')}</p>
            <NetworkPick
              label={t('backup.target_else')}
              value={other}
              not={row.gwid}
              onChange={(network) => target(true, network)}
            />
          </>
        )}
        <fieldset className="backup-sections">
          <legend className="field-label">{t('backup.parts')}</legend>
          {sections.map((section) => (
            <CheckField
              key={section}
              checked={chosen.includes(section) && data?.available.includes(section) !== false}
              disabled={data !== undefined && !data.available.includes(section)}
              onChange={(on) => toggle(section, on)}
            >
              {t(`backup.section_${section}`)}
            </CheckField>
          ))}
        </fieldset>
        {mapped.length > 0 && (
          <MapTable
            title={t('backup.port_map')}
            from={t('backup.port_from')}
            map={mapped}
            onChange={setMap}
            options={data!.ports.map((port) => ({ value: port, label: port }))}
            labelOf={(port) => port}
          />
        )}
        {onAir.length > 0 && (
          <MapTable
            title={t('backup.band_map')}
            from={t('backup.band_from')}
            map={onAir}
            onChange={setBands}
            options={data!.bands.map((band) => ({ value: band, label: t(`wireless.band_${band}`) }))}
            labelOf={(band) => t(`wireless.band_${band}`)}
          />
        )}
        {chosen.length === 0 || gwid === undefined ? (
          <p className="notice">{t(gwid === undefined ? 'backup.no_target' : 'backup.no_part')}</p>
        ) : error ? (
          <Failed error={error} retry={() => void refetch()} small />
        ) : (
          <Loading until={data !== undefined} lines={5}>
            {data && <RestoreCheck data={data} />}
          </Loading>
        )}
        {data?.ok && (
          <TextField
            label={t('backup.type_name_label', { name: data.network })}
            hint={
              successor ? t('backup.replace_hint') : t(changes ? 'backup.snapshot_first' : 'backup.nothing_changes')
            }
            value={typed}
            onChange={setTyped}
            error={form.wrong.typed}
          />
        )}
      </div>
    </Dialog>
  );
}

function MapTable<T extends string>(props: {
  title: string;
  from: string;
  map: readonly { from: T; to: T | null }[];
  options: readonly { value: T; label: string }[];
  labelOf: (one: T) => string;
  onChange: (map: { from: T; to: T | null }[]) => void;
}) {
  const { title, map, options, labelOf, onChange } = props;
  return (
    <fieldset className="backup-ports">
      <legend className="field-label">{title}</legend>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{props.from}</th>
            <th scope="col">{t('backup.port_to')}</th>
          </tr>
        </thead>
        <tbody>
          {map.map(({ from, to }) => (
            <tr key={from}>
              <td className="mono">{labelOf(from)}</td>
              <td>
                <SelectField
                  hideLabel
                  small
                  label={t('backup.port_of', { port: labelOf(from) })}
                  value={to ?? nowhere}
                  options={[...options, { value: nowhere, label: t('backup.port_none') }]}
                  onChange={(next) => {
                    const place = options.find(({ value }) => value === next)?.value ?? null;
                    onChange(map.map((one) => (one.from === from ? { from, to: place } : one)));
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  );
}
