import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { NetworkPicks, networksWrong } from '../../ui/networks-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type PlanField, PlanFields, planOf, planWrong, usualPlan } from './plan-fields.tsx';

/** Devices read at once, and the most that one plan takes (the contract's `firmwareLimits.devices`). */
const pageSize = 200;
const most = 5000;

/** Restarts the devices of networks, wave after wave. */
export function RestartDialog({ onClose }: { onClose: () => void }) {
  const [gwids, setGwids] = useState<readonly string[]>([]);
  const [plan, setPlan] = useState({ ...usualPlan, first: '1', stopAbove: '10' });
  const form = useForm<PlanField | 'gwids'>({}, 'gwids');
  const { data: devices } = useQuery({
    queryKey: ['to restart', gwids],
    queryFn: () => devicesOf(gwids, knownOf),
    enabled: gwids.length > 0,
  });
  const gateways = devices?.filter(({ is_gateway: routes }) => routes).length ?? 0;
  const send = () =>
    form.send({ gwids: networksWrong(gwids), ...planWrong(plan) }, async () => {
      const serials = (await devicesOf(gwids, readOf)).map(({ serial }) => serial);
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
        {gwids.length > 0 && devices && devices.length > 0 && (
          <div role="status">
            <p>{t('firmware.restart_devices', { n: devices.length })}</p>
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

/** The access points of networks, at most so many as one plan takes. */
async function devicesOf(gwids: readonly string[], of: (gwid: string) => Promise<Found[]>): Promise<Found[]> {
  const found: Found[] = [];
  for (const gwid of gwids) if (found.length < most) found.push(...(await of(gwid)));
  return found.slice(0, most);
}

/** Those of a network as they were a moment ago: one network more to tick asks for that one alone. */
const knownOf = (gwid: string) =>
  queryClient.fetchQuery({ queryKey: ['to restart in', gwid], queryFn: () => readOf(gwid), staleTime: 60_000 });

async function readOf(gwid: string): Promise<Found[]> {
  const found: Found[] = [];
  for (let page = 1; found.length < most; page += 1) {
    const input: Input<'/api/v3/ap/list'> = { gwid, page, limit: pageSize };
    const { list, total } = await call('/api/v3/ap/list', input);
    found.push(...list.map(({ serial, is_gateway }) => ({ serial, is_gateway })));
    if (page * pageSize >= total) break;
  }
  return [...new Map(found.map((device) => [device.serial, device])).values()];
}
