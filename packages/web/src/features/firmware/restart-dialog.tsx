import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { NetworkPicks, networksWrong } from '../../ui/networks-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type PlanField, PlanFields, planOf, planWrong, usualPlan } from './plan-fields.tsx';

/** Page size, and maximum devices per plan (contract: `firmwareLimits.devices`). */
const pageSize = 200;
const max = 5000;

/** Devices whose clients are counted for the warning (contract: maximum of `ap/chosen`). */
const maxCounted = 1000;

const kinds = ['ap', 'switch', 'gateway'] as const;
type Kind = (typeof kinds)[number];

export function RestartDialog({ onClose }: { onClose: () => void }) {
  const [gwids, setGwids] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly Kind[]>(['ap']);
  const [plan, setPlan] = useState({ ...usualPlan, first: '1', stopAbove: '10' });
  const form = useForm<PlanField | 'gwids' | 'kinds'>({}, 'gwids');
  const { data: devices } = useQuery({
    queryKey: ['to restart', gwids, chosen],
    queryFn: () => devicesOf(gwids, chosen, knownOf),
    enabled: gwids.length > 0 && chosen.length > 0,
  });
  const serials = devices?.map(({ serial }) => serial) ?? [];
  const counted = serials.length > 0 && serials.length <= maxCounted;
  const users = useRead('/api/v3/ap/chosen', { serials }, { enabled: counted }).data?.users ?? 0;
  const gateways = devices?.filter(({ is_gateway: routes }) => routes).length ?? 0;
  const send = () =>
    form.send({ gwids: networksWrong(gwids), kinds: kindsWrong(chosen), ...planWrong(plan) }, async () => {
      const serials = (await devicesOf(gwids, chosen, readOf)).map(({ serial }) => serial);
      if (serials.length === 0) return form.setWrong({ gwids: t('firmware.no_devices') });
      const { job_id } = await call('/api/v3/firmware/restart/start', { serials, ...planOf(plan) });
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
      openJobs(job_id);
    });
  return (
    <Dialog
      wide
      title={t('firmware.restart')}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('firmware.restart')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <p className="field-label">{t('firmware.restart_of')}</p>
        <NetworkPicks value={gwids} onChange={setGwids} error={form.wrong.gwids} />
        <fieldset className="firmware-models">
          <legend className="field-label">{t('firmware.restart_kinds')}</legend>
          {kinds.map((kind) => (
            <CheckField
              key={kind}
              checked={chosen.includes(kind)}
              error={kind === kinds[0] ? form.wrong.kinds : undefined}
              onChange={(on) => setChosen(kinds.filter((one) => (one === kind ? on : chosen.includes(one))))}
            >
              {t(`firmware.kind_${kind}`)}
            </CheckField>
          ))}
        </fieldset>
        {gwids.length > 0 && devices && devices.length > 0 && (
          <div role="status">
            <p>{t('firmware.restart_devices', { n: devices.length })}</p>
            {users > 0 && <p>{t('device.reboot_users', { n: users })}</p>}
            {gateways > 0 && <p className="notice">{t('firmware.restart_gateways', { n: gateways })}</p>}
          </div>
        )}
        <PlanFields draft={plan} onChange={setPlan} wrong={form.wrong} />
        <p className="small dim">{t('firmware.restart_note')}</p>
      </div>
    </Dialog>
  );
}

type Found = Pick<Row<'/api/v3/ap/list'>, 'serial' | 'is_gateway'>;

const kindsWrong = (chosen: readonly Kind[]) => (chosen.length > 0 ? null : t('firmware.kinds_none'));

/** Returns the networks' devices, up to one plan's maximum; a routing access point counts as both kinds. */
async function devicesOf(
  gwids: readonly string[],
  chosen: readonly Kind[],
  read: (gwid: string, kind: Kind) => Promise<Found[]>,
): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const gwid of gwids)
    for (const kind of chosen)
      if (found.size < max) for (const device of await read(gwid, kind)) found.set(device.serial, device);
  return [...found.values()].slice(0, max);
}

/** Cached per network, so that ticking another one reads only that one. */
const knownOf = (gwid: string, kind: Kind) =>
  queryClient.fetchQuery({
    queryKey: ['to restart in', gwid, kind],
    queryFn: () => readOf(gwid, kind),
    staleTime: 60_000,
  });

async function readOf(gwid: string, kind: Kind): Promise<Found[]> {
  const found: Found[] = [];
  for (let page = 1; found.length < max; page += 1) {
    const input: Input<'/api/v3/ap/list'> = { gwid, kind, page, limit: pageSize };
    const { list, total } = await call('/api/v3/ap/list', input);
    found.push(...list.map(({ serial, is_gateway }) => ({ serial, is_gateway })));
    if (page * pageSize >= total) break;
  }
  return found;
}
