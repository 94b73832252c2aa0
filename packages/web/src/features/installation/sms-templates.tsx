import { useId } from 'react';
import { t } from '../../app/i18n.ts';
import type { Installation } from './install-detail.ts';

type MessageTemplates = Installation['sms_letters'];
type Codes = Installation['sms']['templates'];

export function SmsTemplates(props: {
  messageTemplates: MessageTemplates;
  codes: Codes;
  onChange: (codes: Codes) => void;
}) {
  const id = useId();
  return (
    <fieldset className="install-templates">
      <legend className="field-label">{t('install.templates')}</legend>
      <p className="field-hint">{t('install.templates_hint')}</p>
      {props.messageTemplates.map(({ template, text }) => (
        <div key={template} className="install-template">
          <div>
            <label htmlFor={`${id}-${template}`}>{t(`install.template_${template}`)}</label>
            <p id={`${id}-${template}-text`} className="field-hint" lang="zh-CN">
              {text}
            </p>
          </div>
          <input
            id={`${id}-${template}`}
            className="input mono"
            autoComplete="off"
            maxLength={64}
            aria-describedby={`${id}-${template}-text`}
            value={props.codes[template] ?? ''}
            onChange={(event) => {
              const { [template]: _before, ...others } = props.codes;
              const code = event.target.value.trim();
              props.onChange(code ? { ...others, [template]: code } : others);
            }}
          />
        </div>
      ))}
    </fieldset>
  );
}
