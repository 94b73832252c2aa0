import { t } from '../../app/i18n.ts';
import { TextField } from '../../ui/field.tsx';
import type { Installation } from './settings.tsx';

type Letters = Installation['sms_letters'];
type Codes = Installation['sms']['templates'];

/** The provider's code for each kind of SMS, beside the words to have approved there. */
export function SmsTemplates(props: { letters: Letters; codes: Codes; onChange: (codes: Codes) => void }) {
  return (
    <fieldset className="install-templates">
      <legend className="field-label">{t('install.templates')}</legend>
      <p className="field-hint">{t('install.templates_hint')}</p>
      {props.letters.map(({ template, text }) => (
        <TextField
          key={template}
          label={t(`install.template_${template}`)}
          hint={<span lang="zh-CN">{text}</span>}
          maxLength={64}
          value={props.codes[template] ?? ''}
          onChange={(typed) => {
            const { [template]: _before, ...others } = props.codes;
            const code = typed.trim();
            props.onChange(code ? { ...others, [template]: code } : others);
          }}
        />
      ))}
    </fieldset>
  );
}
