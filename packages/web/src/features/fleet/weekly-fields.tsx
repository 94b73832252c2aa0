import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { TimeField } from '../../ui/fields/time-field.tsx';
import type { Wrong } from '../../ui/use-form.ts';

const days = [1, 2, 3, 4, 5, 6, 7] as const;
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

export const usualWeekly: Weekly = { weekdays: [1], start: '04:00' };

interface Weekly {
  weekdays: number[];
  start: string;
}

export function weeklyWrong({ weekdays, start }: Weekly) {
  return {
    weekdays: weekdays.length === 0 ? t('window.no_day') : null,
    start: timeOfDay.test(start) ? null : t('window.start_wrong'),
  };
}

export function WeeklyFields(props: {
  value: Weekly;
  onChange: (changed: Partial<Weekly>) => void;
  wrong: Wrong<'weekdays' | 'start'>;
  zone: string;
  disabled?: boolean;
}) {
  const { weekdays, start } = props.value;
  return (
    <>
      <fieldset className="row days" disabled={props.disabled}>
        <legend className="sr">{t('window.days')}</legend>
        {days.map((day) => (
          <CheckField
            key={day}
            checked={weekdays.includes(day)}
            onChange={(on) =>
              props.onChange({ weekdays: on ? [...weekdays, day] : weekdays.filter((one) => one !== day) })
            }
          >
            {t(`window.day_${day}`)}
          </CheckField>
        ))}
      </fieldset>
      {props.wrong.weekdays && <p className="field-error">{props.wrong.weekdays}</p>}
      <TimeField
        label={t('window.start', { zone: props.zone })}
        value={start}
        onChange={(value) => props.onChange({ start: value })}
        error={props.wrong.start}
        disabled={props.disabled}
      />
    </>
  );
}

const scopes = ['aps', 'group', 'gateway', 'all'] as const;

export const groupWrong = ({ scope, group_id }: RestartScope) =>
  scope === 'group' && group_id === undefined ? t('validation.required') : null;

export interface RestartScope {
  scope: (typeof scopes)[number];
  group_id?: string;
}

export function ScopeFields(props: {
  value: RestartScope;
  onChange: (value: RestartScope) => void;
  wrong: Wrong<'scope' | 'group_id'>;
}) {
  const { scope, group_id } = props.value;
  const groups = useRead('/api/v3/ap/group/list', {}, { enabled: scope === 'group' });
  const list = groups.data?.list ?? [];
  return (
    <>
      <Choice
        label={t('restart.what')}
        value={scope}
        onChange={(value) => props.onChange({ scope: value })}
        options={scopes.map((value) => ({ value, label: t(`restart.scope_${value}`) }))}
      />
      {scope === 'gateway' && <p className="small dim">{t('restart.gateway_hint')}</p>}
      {scope === 'group' && (
        <SelectField
          label={t('groups.group')}
          value={group_id ?? ''}
          onChange={(id) => props.onChange(id === '' ? { scope } : { scope, group_id: id })}
          error={props.wrong.group_id}
          options={[
            { value: '', label: groups.data?.total === 0 ? t('groups.none') : t('restart.choose_group') },
            ...list.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {props.wrong.scope && <p className="field-error">{props.wrong.scope}</p>}
    </>
  );
}
