import { useState } from 'react';
import type { Input } from '../../app/api.ts';
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
  const send = () =>
    form.send({ gwids: networksWrong(gwids), ...planWrong(plan) }, async () => {
      const serials = await devicesOf(gwids);
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
        <PlanFields draft={plan} onChange={setPlan} wrong={form.wrong} />
        <p className="small dim">{t('firmware.restart_note')}</p>
      </div>
    </Dialog>
  );
}

/** The devices of networks, at most so many as one plan takes. */
async function devicesOf(gwids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const gwid of gwids) {
    for (let page = 1; found.length < most; page += 1) {
      const input: Input<'/api/v3/ap/list'> = { gwid, page, limit: pageSize };
      const { list, total } = await call('/api/v3/ap/list', input);
      found.push(...list.map(({ serial }) => serial));
      if (page * pageSize >= total) break;
    }
  }
  return [...new Set(found)].slice(0, most);
}
