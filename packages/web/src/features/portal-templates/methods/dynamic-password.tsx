import type { PasswordPeriod } from '@yunxun/contract';
import { t } from '../../../app/i18n.ts';
import { SelectField } from '../../../ui/field.tsx';
import type { MethodSettings } from './method-settings.ts';

const periods: readonly PasswordPeriod[] = ['day', 'week'];

export const dynamicPassword: MethodSettings<{ every: PasswordPeriod }> = {
  empty: { every: 'day' },
  typedFrom: ({ every = 'day' }) => ({ every }),
  inputFrom: (typed) => typed,
  Fields: ({ typed, readOnly, onChange }) => (
    <SelectField
      label={t('portal.every')}
      hint={t('portal.every_hint')}
      value={typed.every}
      disabled={readOnly}
      options={periods.map((value) => ({ value, label: t(`portal.every_${value}`) }))}
      onChange={(every) => onChange({ every })}
    />
  ),
};
