import { kindParts } from '@yunxun/contract/alarm-kinds';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { levels } from '../../ui/alarm-level.tsx';
import { Button } from '../../ui/button.tsx';
import { changedFields } from '../../ui/changed-fields.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField, SwitchField } from '../../ui/field.tsx';
import { NetworkPicks } from '../../ui/networks-field.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Backtest } from './backtest.tsx';
import { HoursField } from './hours-field.tsx';
import { unitText } from './labels.ts';
import { RuleFrom } from './rule-from.tsx';
import { hoursError, hoursOfTyped, type TypedHours, typedOfHours } from './rule-hours.ts';
import { maxTolerance, narrowScopes, type OpenRule, type RuleRow } from './rule-row.ts';
import { ScopeGroups } from './scope-groups.tsx';

type RuleDraft = RuleRow['rule'];
type Field = 'rule.tolerance' | 'rule.threshold' | 'rule.scope';

export async function refreshRules(): Promise<void> {
  const changed: readonly unknown[] = ['/api/v3/alarm_rule/list', '/api/v3/alarm_rule/simulate'];
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => changed.includes(queryKey[0]) });
}

interface Props extends OpenRule {
  zone: string;
  from?: string | undefined;
  onClose: () => void;
}

export function RuleDialog({ row, isFresh, zone, from, onClose }: Props) {
  const { kind, id } = row.rule;
  const isMain = !isFresh && !id;
  const bounds = kindParts[kind].threshold;
  const [began] = useState(row.rule);
  const [rule, setRule] = useState(began);
  const [tolerance, setTolerance] = useState(String(rule.tolerance));
  const [threshold, setThreshold] = useState(rule.threshold === null ? '' : String(rule.threshold));
  const [hours, setHours] = useState<readonly TypedHours[] | null>(row.rule.hours?.map(typedOfHours) ?? null);
  const [strict, setStrict] = useState(false);
  const [tested, setTested] = useState<RuleDraft | null>(null);
  const { wrong, busy, fields, send } = useForm<Field>();
  const set = (part: Partial<RuleRow['rule']>) => setRule((now) => ({ ...now, ...part }));
  const { type, ids } = rule.scope;
  const narrow = narrowScopes(kind);
  const scopes = isMain ? (['all', ...narrow] as const) : narrow;
  const restore = () => {
    setRule(row.standard);
    setTolerance(String(row.standard.tolerance));
    setThreshold(row.standard.threshold === null ? '' : String(row.standard.threshold));
    setHours(null);
  };
  const draft: RuleDraft = {
    ...rule,
    tolerance: Number(tolerance),
    threshold: bounds ? Number(threshold) : null,
    hours: hours?.map(hoursOfTyped) ?? null,
  };
  /** Does something with the rule if its fields are right. */
  const checked = (act: () => Promise<unknown>) => {
    const isRight = !hours?.some((one) => hoursError(one) !== null);
    setStrict(!isRight);
    return send(
      {
        'rule.tolerance': fieldError(whole(0, maxTolerance), tolerance),
        'rule.threshold': bounds ? fieldError(whole(bounds.min, bounds.max), threshold) : null,
        'rule.scope': type !== 'all' && ids.length === 0 ? t('validation.required') : null,
      },
      async () => {
        if (isRight) await act();
      },
    );
  };
  const submit = () =>
    checked(async () => {
      if (isFresh) await call('/api/v3/alarm_rule/create', { rule: draft });
      else await call('/api/v3/alarm_rule/save', { rule: { ...changedFields(draft, began), kind, ...(id && { id }) } });
      notify('ok', t('alarm.rule_saved'));
      onClose();
      await refreshRules();
    });
  const isTested = tested !== null && JSON.stringify(tested) === JSON.stringify(draft);
  return (
    <Dialog
      wide
      title={t(isFresh ? 'alarm.rule_new' : 'alarm.rule_edit', { name: t(`alarm.kind_${kind}`) })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        {!isMain && <p className="quiet">{t('alarm.rule_own_about')}</p>}
        {from && (
          <RuleFrom
            id={from}
            maxTolerance={maxTolerance}
            onTolerance={(seconds) => setTolerance(String(seconds))}
            onThreshold={(value) => setThreshold(String(value))}
          />
        )}
        <SwitchField checked={rule.enabled} onChange={(enabled) => set({ enabled })}>
          {t('alarm.rule_enabled')}
        </SwitchField>
        <SelectField
          label={t('alarm.level')}
          value={rule.level}
          onChange={(level) => set({ level })}
          options={levels.map((value) => ({ value, label: t(`alarm_level.${value}`) }))}
        />
        <NumberField
          label={t('alarm.tolerance_field')}
          value={tolerance}
          onChange={setTolerance}
          min={0}
          max={maxTolerance}
          error={wrong['rule.tolerance']}
        />
        {bounds && (
          <NumberField
            label={t('alarm.threshold_field', { unit: unitText(kind) })}
            value={threshold}
            onChange={setThreshold}
            min={bounds.min}
            max={bounds.max}
            error={wrong['rule.threshold']}
          />
        )}
        {narrow.length > 0 && (
          <Choice
            label={t('alarm.scope')}
            value={type}
            onChange={(value) => set({ scope: { type: value, ids: [] } })}
            options={scopes.map((value) => ({ value, label: t(`alarm.scope_${value}`) }))}
          />
        )}
        {type === 'networks' && (
          <NetworkPicks
            value={ids}
            error={wrong['rule.scope']}
            onChange={(chosen) => set({ scope: { type, ids: [...chosen] } })}
          />
        )}
        {type === 'groups' && (
          <ScopeGroups
            value={ids}
            error={wrong['rule.scope']}
            onChange={(chosen) => set({ scope: { type, ids: chosen } })}
          />
        )}
        <HoursField value={hours} zone={zone} strict={strict} onChange={setHours} />
        <div className="row">
          <Button icon="activity" onClick={() => void checked(async () => setTested(draft))}>
            {t('alarm.backtest')}
          </Button>
          {row.changed && isMain && (
            <Button icon="undo" onClick={restore}>
              {t('alarm.rule_standard')}
            </Button>
          )}
        </div>
        {isTested && (
          <Backtest
            rule={tested}
            isFresh={isFresh}
            onThreshold={(value) => {
              setThreshold(String(value));
              setTested({ ...tested, threshold: value });
            }}
          />
        )}
      </div>
    </Dialog>
  );
}
