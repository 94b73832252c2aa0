import { t } from '../../../app/i18n.ts';
import { TextAreaField } from '../../../ui/text-area-field.tsx';
import type { MethodSettings } from './method-settings.ts';

export const sponsor: MethodSettings<{ sponsors: string }> = {
  empty: { sponsors: '' },
  typedFrom: ({ sponsors = [] }) => ({ sponsors: sponsors.join('\n') }),
  inputFrom: ({ sponsors }) => ({ sponsors: sponsors.split(/[\s,;]+/).filter(Boolean) }),
  Fields: ({ typed, wrong, readOnly, onChange }) => (
    <TextAreaField
      rows={3}
      label={t('portal.sponsors')}
      hint={t('portal.sponsors_hint')}
      error={wrong('sponsors') ?? wrong('sponsors.0')}
      value={typed.sponsors}
      disabled={readOnly}
      onChange={(sponsors) => onChange({ sponsors })}
    />
  ),
};
