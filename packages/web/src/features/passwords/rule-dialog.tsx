import { rules } from '@yunxun/contract/rules';
import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, SelectField, TextField } from '../../ui/field.tsx';
import { TimeField } from '../../ui/fields/time-field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { NetworkPicks } from '../../ui/networks-field.tsx';
import { NameField, NumberField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { emailsIn, MailField, wrongEmails } from './mail-field.tsx';
import { type Rule, refreshRules } from './password-rule.ts';
import { QuietField } from './quiet-field.tsx';

type Plan = Input<'/api/v3/ac_password/rule/create'>['plan'];

const usual: Plan = {
  cycle: 'weekly',
  weekday: 1,
  month_day: 1,
  at: '04:00',
  length: 10,
  charset: 'mixed',
  prefix: '',
  quiet: [],
  notify: true,
  emails: [],
};
const days = [1, 2, 3, 4, 5, 6, 7] as const;

type PlanField = 'at' | 'length' | 'month_day' | 'prefix' | 'quiet' | 'emails';
type Field = 'name' | 'gwids' | 'ssid' | `plan.${PlanField}`;

export function RuleDialog({ rule: given, onClose }: { rule: Rule | null; onClose: () => void }) {
  // the list may reload
  const [rule] = useState(given);
  const [name, setName] = useState(rule?.name ?? '');
  const [gwids, setGwids] = useState<readonly string[]>(rule?.gwids ?? []);
  const [ssid, setSsid] = useState(rule?.ssid ?? '');
  const [plan, setPlan] = useState<Plan>(rule?.plan ?? usual);
  const [length, setLength] = useState(String(plan.length));
  const [day, setDay] = useState(String(plan.month_day));
  const [quiet, setQuiet] = useState<readonly string[]>(plan.quiet);
  const [emails, setEmails] = useState(plan.emails.join(' '));
  const { wrong, busy, fields, send } = useForm<Field>({ 4105: 'name', 4109: 'ssid' });
  const { data } = useRead(
    '/api/v3/ac_password/ssids',
    { gwids: [...gwids] },
    { enabled: !rule && gwids.length > 0, keepPrevious: true },
  );
  const ssids = gwids.length > 0 ? (data?.list ?? []) : [];
  const set = (part: Partial<Plan>) => setPlan((now) => ({ ...now, ...part }));
  const buckets = quiet.filter(Boolean);
  const submit = () =>
    send(
      {
        name: fieldError('nameText', name),
        gwids: gwids.length === 0 ? t('validation.minItems', { min: 1 }) : null,
        ssid: ssid === '' ? t('validation.required') : null,
        'plan.at': /^([01]\d|2[0-3]):[0-5]\d$/.test(plan.at) ? null : t('validation.required'),
        'plan.length': whole(length, Math.max(8, plan.prefix.length + 6), 32),
        'plan.month_day': plan.cycle === 'monthly' ? whole(day, 1, 28) : null,
        'plan.prefix': plan.prefix === '' ? null : fieldError('passwordFilter', plan.prefix),
        'plan.quiet': buckets.every((bucket) => rules.timeBucket.test(bucket)) ? null : t('validation.timeBucket'),
        'plan.emails': wrongEmails(emails),
      },
      async () => {
        const month_day = plan.cycle === 'monthly' ? Number(day) : plan.month_day;
        const checkedPlan = {
          ...plan,
          length: Number(length),
          month_day,
          quiet: [...new Set(buckets)],
          emails: emailsIn(emails),
        };
        if (rule) {
          await call('/api/v3/ac_password/rule/update', {
            id: rule.id,
            ...changedFields({ name }, { name: rule.name }),
            plan: changedFields(checkedPlan, rule.plan),
          });
          notify('ok', t('password_rule.saved'));
        } else {
          const { job_id } = await call('/api/v3/ac_password/rule/create', {
            name,
            gwids: [...gwids],
            ssid,
            plan: checkedPlan,
          });
          if (job_id) openJobs(job_id);
          else notify('ok', t('password_rule.no_aps'));
        }
        onClose();
        await refreshRules();
      },
    );
  return (
    <Dialog
      wide
      title={rule ? t('password_rule.edit_title', { name: rule.name }) : t('password_rule.create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(rule ? 'action.save' : 'password_rule.create_push')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField label={t('password_rule.name')} value={name} onChange={setName} error={wrong.name} autoFocus />
        {rule ? (
          <p className="quiet">{t('password_rule.fixed', { ssid: rule.ssid, n: rule.gwids.length })}</p>
        ) : (
          <>
            <div className="field-label">{t('pick.networks')}</div>
            <NetworkPicks
              value={gwids}
              error={wrong.gwids}
              onChange={(chosen) => {
                setGwids(chosen);
                setSsid('');
              }}
            />
            <SelectField
              label="SSID"
              value={ssid}
              error={wrong.ssid}
              hint={t(
                gwids.length === 0
                  ? 'password_rule.networks_first'
                  : ssids.length === 0
                    ? 'password_rule.no_ssids'
                    : 'password_rule.ssid_hint',
              )}
              options={[
                { value: '', label: t('password_rule.choose') },
                ...ssids.map((one) => ({ value: one, label: one })),
              ]}
              onChange={setSsid}
            />
          </>
        )}
        <Choice
          label={t('password_rule.cycle')}
          value={plan.cycle}
          options={(['daily', 'weekly', 'monthly'] as const).map((value) => ({
            value,
            label: t(`password_rule.cycle_${value}`),
          }))}
          onChange={(cycle) => set({ cycle })}
        />
        <div className="pair">
          {plan.cycle === 'weekly' && (
            <SelectField
              label={t('backup.weekday')}
              value={String(plan.weekday)}
              options={days.map((one) => ({ value: String(one), label: t(`backup.weekday_${one}`) }))}
              onChange={(chosen) => set({ weekday: Number(chosen) })}
            />
          )}
          {plan.cycle === 'monthly' && (
            <NumberField
              label={t('password_rule.month_day')}
              min={1}
              max={28}
              value={day}
              error={wrong['plan.month_day']}
              onChange={setDay}
            />
          )}
          <TimeField
            label={t('password_rule.at')}
            hint={t('password_rule.at_hint')}
            value={plan.at}
            error={wrong['plan.at']}
            onChange={(at) => set({ at })}
          />
          <NumberField
            label={t('password_rule.length')}
            min={8}
            max={32}
            value={length}
            error={wrong['plan.length']}
            onChange={setLength}
          />
          <SelectField
            label={t('password_rule.charset')}
            value={plan.charset}
            hint={t('password_rule.charset_hint')}
            options={(['mixed', 'letters', 'digits'] as const).map((value) => ({
              value,
              label: t(`password_rule.charset_${value}`),
            }))}
            onChange={(charset) => set({ charset })}
          />
          <TextField
            label={t('password_rule.prefix')}
            value={plan.prefix}
            maxLength={16}
            error={wrong['plan.prefix']}
            onChange={(prefix) => set({ prefix })}
          />
        </div>
        <QuietField value={quiet} error={wrong['plan.quiet']} onChange={setQuiet} />
        <MailField value={emails} error={wrong['plan.emails']} onChange={setEmails} />
        <CheckField checked={plan.notify} onChange={(notified) => set({ notify: notified })}>
          {t('password_rule.notify')}
        </CheckField>
        <p className="small dim">{t('password_rule.channels')}</p>
      </div>
    </Dialog>
  );
}

function whole(text: string, min: number, max: number): string | null {
  const value = rules.integer.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? null : t('validation.between', { min, max });
}
