import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { ChecksField } from '../../ui/checks-field.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField, SwitchField } from '../../ui/field.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { hourText, periods, type Report, refreshReports, type Saved, weekdays, weekdayText } from './report.ts';

type Values = Omit<Saved, 'id' | 'version'>;

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

export function ReportDialog(props: { report: Report | null; zone: string; onClose: () => void }) {
  const { zone, onClose } = props;
  // the list may reload
  const [report] = useState(props.report);
  const { id: me } = useUser();
  const [values, setValues] = useState<Values>(() => valuesOf(report, me));
  const people = useRead('/api/v3/alarm_subscription/people', {});
  const { wrong, busy, fields, send } = useForm<string>({ 4105: 'name', 4106: 'name' });
  const set = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }));
  const submit = () =>
    send(
      {
        name: fieldError('nameText', values.name),
        members: values.members.length === 0 ? t('validation.required') : null,
      },
      async () => {
        await call('/api/v3/report/save', { ...(report && { id: report.id, version: report.version }), ...values });
        notify('ok', t('reports.saved'));
        await refreshReports();
        onClose();
      },
    );
  return (
    <Dialog
      drawer
      title={report ? t('reports.edit', { name: report.name }) : t('reports.create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField
          label={t('reports.name')}
          hint={t('subscription.name_hint')}
          value={values.name}
          error={wrong.name}
          onChange={(name) => set({ name })}
        />
        <SwitchField checked={values.enabled} onChange={(enabled) => set({ enabled })}>
          {t('reports.enabled')}
        </SwitchField>
        <div>
          <Choice
            label={t('reports.period')}
            value={values.period}
            onChange={(period) => set({ period })}
            options={periods.map((value) => ({ value, label: t(`reports.period_${value}`) }))}
          />
          <p className="small dim">{t(`reports.covers_${values.period}`)}</p>
        </div>
        {values.period === 'week' && (
          <SelectField
            label={t('reports.weekday')}
            value={String(values.weekday)}
            error={wrong.weekday}
            onChange={(day) => set({ weekday: Number(day) })}
            options={weekdays.map((day) => ({ value: String(day), label: weekdayText(day) }))}
          />
        )}
        <SelectField
          label={t('reports.hour')}
          hint={t('reports.hour_hint', { zone })}
          value={String(values.hour)}
          error={wrong.hour}
          onChange={(hour) => set({ hour: Number(hour) })}
          options={hours}
        />
        <ChecksField
          label={t('reports.members')}
          value={values.members}
          error={wrong.members}
          options={(people.data?.list ?? []).map(({ id, name, email }) => ({
            value: id,
            label: name,
            disabled: !email && !values.members.includes(id),
          }))}
          onChange={(members) => set({ members })}
        />
        <p className="small dim">{t('reports.members_about')}</p>
      </div>
    </Dialog>
  );
}

function valuesOf(from: Report | null, me: string): Values {
  if (!from) return { name: '', enabled: true, period: 'day', weekday: 1, hour: 8, members: [me] };
  const { name, enabled, period, weekday, hour, members } = from;
  return { name, enabled, period, weekday, hour, members };
}
