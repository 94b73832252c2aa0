import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type EndpointType, endpointTypes, signs } from './subscription.ts';

export interface Draft {
  key: string;
  /** Of a stored one: its id, what is shown of it, and whether it has a secret. */
  stored: { id: string; shown: string; hasSecret: boolean } | null;
  type: EndpointType;
  url: string;
  secret: string;
}

export const maxEndpoints = 5;

/** Counts new addresses: they have no id yet. */
let drafts = 0;

/** Secrets: replaced, never shown. */
export function EndpointsField(props: {
  value: readonly Draft[];
  wrong: Readonly<Record<string, string | null | undefined>>;
  onChange: (value: readonly Draft[]) => void;
}) {
  const { value, wrong, onChange } = props;
  const set = (key: string, part: Partial<Draft>) =>
    onChange(value.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const add = () =>
    onChange([...value, { key: `new-${++drafts}`, stored: null, type: 'webhook', url: '', secret: '' }]);
  return (
    <fieldset className="stack bare">
      <legend className="field-label">{t('subscription.endpoints')}</legend>
      {value.map(({ key, stored, type, url, secret }, at) => (
        <div key={key} className="endpoint stack stack-s">
          <div className="endpoint-line">
            {stored === null ? (
              <SelectField
                label={t('subscription.endpoint_type', { n: at + 1 })}
                value={type}
                error={wrong[`endpoints.${at}.type`]}
                onChange={(chosen) => set(key, { type: chosen, secret: '' })}
                options={endpointTypes.map((one) => ({ value: one, label: t(`subscription.channel_${one}`) }))}
              />
            ) : (
              <strong>{t(`subscription.channel_${type}`)}</strong>
            )}
            <IconButton
              icon="trash"
              label={t('subscription.endpoint_remove', { n: at + 1 })}
              onClick={() => onChange(value.filter((one) => one.key !== key))}
            />
          </div>
          <TextField
            label={t('subscription.endpoint_url', { n: at + 1 })}
            rule="url"
            optional={stored !== null}
            value={url}
            maxLength={1000}
            placeholder="https://"
            error={wrong[`endpoints.${at}.url`]}
            {...(stored && { hint: t('subscription.endpoint_kept', { shown: stored.shown }) })}
            onChange={(next) => set(key, { url: next })}
          />
          {signs(type) && (
            <TextField
              label={t('subscription.endpoint_secret', { n: at + 1 })}
              value={secret}
              maxLength={200}
              error={wrong[`endpoints.${at}.secret`]}
              {...(stored?.hasSecret && { hint: t('subscription.endpoint_secret_kept') })}
              onChange={(next) => set(key, { secret: next })}
            />
          )}
          {type === 'webhook' && stored === null && <p className="small dim">{t('subscription.endpoint_webhook')}</p>}
        </div>
      ))}
      {value.length < maxEndpoints && (
        <div>
          <Button icon="plus" onClick={add}>
            {t('subscription.endpoint_add')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
