import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { backupsChanged } from './actions.ts';
import type { RouterRow } from './labels.tsx';

const cycles = ['daily', 'weekly', 'off'] as const;
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const atOnce = 200;

export function PlanDialog({
  rows,
  done,
  onClose,
}: {
  rows: readonly RouterRow[];
  done: () => void;
  onClose: () => void;
}) {
  const first = rows[0]!;
  const [plan, setPlan] = useState(first.plan);
  const form = useForm();
  const save = () =>
    form.send({}, async () => {
      const gwids = rows.map(({ gwid }) => gwid);
      const changed = rows.length === 1 ? changedFields(plan, first.plan) : plan;
      for (let from = 0; from < gwids.length; from += atOnce)
        await call('/api/v3/cloud_backup/plan/save', { gwids: gwids.slice(from, from + atOnce), plan: changed });
      notify('ok', t('backup.plan_saved', { n: rows.length }));
      done();
      onClose();
      await backupsChanged();
    });
  return (
    <Dialog
      title={
        rows.length === 1 ? t('backup.plan_of', { name: first.remark }) : t('backup.plan_of_n', { n: rows.length })
      }
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields">
        <Choice
          label={t('backup.cycle')}
          value={plan.cycle}
          options={cycles.map((value) => ({ value, label: t(`backup.cycle_${value}`) }))}
          onChange={(cycle) => setPlan({ ...plan, cycle })}
        />
        {plan.cycle === 'weekly' && (
          <SelectField
            label={t('backup.weekday')}
            value={String(plan.weekday)}
            options={weekdays.map((day) => ({ value: String(day), label: t(`backup.weekday_${day}`) }))}
            onChange={(day) => setPlan({ ...plan, weekday: Number(day) })}
          />
        )}
        {plan.cycle !== 'off' && (
          <SelectField
            label={t('backup.hour')}
            hint={t('backup.hour_hint')}
            value={String(plan.hour)}
            options={Array.from({ length: 24 }, (_, hour) => ({
              value: String(hour),
              label: `${String(hour).padStart(2, '0')}:00`,
            }))}
            onChange={(hour) => setPlan({ ...plan, hour: Number(hour) })}
          />
        )}
        <p className="small dim">{plan.cycle === 'off' ? t('backup.off_note') : t('backup.kept_note')}</p>
      </div>
    </Dialog>
  );
}
