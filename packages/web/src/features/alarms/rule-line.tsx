import { kindParts } from '@yunxun/contract/alarm-kinds';
import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { LevelTag, levels } from '../../ui/alarm-level.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { SelectField, SwitchField } from '../../ui/field.tsx';
import { duration } from '../../ui/format.ts';
import { whole } from '../../ui/rule-fields.tsx';
import { Tag } from '../../ui/status.tsx';
import { EditCell } from '../../ui/table/edit-cell.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { unitText, valueText } from './labels.ts';
import { refreshRules } from './rule-dialog.tsx';
import { hoursText } from './rule-hours.ts';
import { type RuleRow, toleranceUnit } from './rule-row.ts';

type Change = Omit<Input<'/api/v3/alarm_rule/save'>['rule'], 'kind' | 'id'>;

interface Props {
  row: RuleRow;
  mayEdit: boolean;
  edit: () => void;
  test: (() => void) | null;
  copy: (() => void) | null;
  remove: (id: string) => Promise<unknown>;
}

/** Edited in place. */
export function RuleLine({ row, mayEdit, edit, test, copy, remove }: Props) {
  const { rule, changed, preset } = row;
  const { id, kind } = rule;
  const name = t(`alarm.kind_${kind}`);
  // rules of one type differ by their scope
  const full = id ? `${name} (${scopeText(rule)})` : name;
  const save = async (change: Change) => {
    await call('/api/v3/alarm_rule/save', { rule: { kind, ...(id && { id }), ...change } });
    notify('ok', t('alarm.rule_saved'));
    await refreshRules();
  };
  return (
    <tr className={rule.enabled ? undefined : 'rule-off'}>
      <td>
        {mayEdit ? (
          <Enabled on={rule.enabled} name={full} save={(enabled) => save({ enabled })} />
        ) : (
          !rule.enabled && <Tag tone="none">{t('alarm.rule_off')}</Tag>
        )}
      </td>
      <td className={id ? 'rule-own' : undefined}>
        {name} {changed && !id && <Tag tone="info">{t('alarm.rule_by_hand')}</Tag>}
        {preset !== null && preset !== 'normal' && <Tag tone="none">{t(`alarm.preset_${preset}`)}</Tag>}
      </td>
      <td>
        {mayEdit ? (
          <SelectField
            hideLabel
            small
            label={t('alarm.level_of', { name: full })}
            value={rule.level}
            onChange={(level) => void save({ level }).catch(notifyError)}
            options={levels.map((value) => ({ value, label: t(`alarm_level.${value}`) }))}
          />
        ) : (
          <LevelTag level={rule.level} />
        )}
      </td>
      <Tolerance rule={rule} name={full} save={mayEdit ? save : null} />
      <Threshold rule={rule} name={full} save={mayEdit ? save : null} />
      <td>
        {row.empty_scope ? (
          <span title={t('alarm.scope_empty_about')}>
            <Tag tone="warn">{t('alarm.scope_empty')}</Tag>
          </span>
        ) : (
          scopeText(rule)
        )}
        {rule.hours?.map((hours) => (
          <span key={hoursText(hours)} className="small dim rule-hours">
            {hoursText(hours)}
          </span>
        ))}
      </td>
      <td className="nowrap">
        {test && <IconButton icon="activity" label={t('alarm.backtest_rule', { name: full })} onClick={test} />}
        {mayEdit && <IconButton icon="edit" label={t('alarm.rule_edit', { name: full })} onClick={edit} />}
        {mayEdit && copy && <IconButton icon="copy" label={t('alarm.rule_copy', { name: full })} onClick={copy} />}
        {mayEdit && id && (
          <ConfirmPopover
            question={t('alarm.rule_delete_question')}
            confirm={t('action.delete')}
            act={() => remove(id)}
          >
            {(trigger) => <IconButton icon="trash" label={t('alarm.rule_delete', { name: full })} {...trigger} />}
          </ConfirmPopover>
        )}
      </td>
    </tr>
  );
}

function Enabled(props: { on: boolean; name: string; save: (on: boolean) => Promise<void> }) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const change = async (on: boolean) => {
    setWanted(on);
    await props.save(on).catch(notifyError);
    setWanted(null);
  };
  return (
    <SwitchField checked={wanted ?? props.on} disabled={wanted !== null} onChange={(on) => void change(on)}>
      <span className="sr">{t('alarm.rule_enable', { name: props.name })}</span>
    </SwitchField>
  );
}

interface ValueProps {
  rule: RuleRow['rule'];
  name: string;
  save: ((change: Change) => Promise<void>) | null;
}

function Tolerance({ rule: { tolerance }, name, save }: ValueProps) {
  const text = tolerance === 0 ? t('alarm.at_once') : duration(tolerance);
  const { unit, seconds, max } = toleranceUnit(tolerance);
  return (
    <td>
      {save ? (
        <EditCell
          label={t('alarm.tolerance_of', { name })}
          value={String(tolerance / seconds)}
          rule={whole(0, max)}
          unit={t(`alarm.unit_${unit}`)}
          save={(value) => save({ tolerance: Number(value) * seconds })}
        >
          {text}
        </EditCell>
      ) : (
        text
      )}
    </td>
  );
}

function Threshold({ rule: { kind, threshold }, name, save }: ValueProps) {
  const bounds = kindParts[kind].threshold;
  if (threshold === null || !bounds)
    return (
      <td>
        <span className="dim">—</span>
      </td>
    );
  const text = t(`alarm.threshold_${bounds.worse}`, { value: valueText(kind, threshold) });
  return (
    <td>
      {save ? (
        <EditCell
          label={t('alarm.threshold_of', { name })}
          value={String(threshold)}
          rule={whole(bounds.min, bounds.max)}
          unit={unitText(kind)}
          save={(value) => save({ threshold: Number(value) })}
        >
          {text}
        </EditCell>
      ) : (
        text
      )}
    </td>
  );
}

function scopeText({ scope: { type, ids } }: RuleRow['rule']): string {
  const text = t(`alarm.scope_${type}`);
  return type === 'all' ? text : `${text} (${t('alarm.scope_n', { n: ids.length })})`;
}
