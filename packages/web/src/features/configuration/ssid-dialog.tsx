import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, fieldError, SelectField, SwitchField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { SecretField, SsidField } from '../../ui/rule-fields.tsx';
import { bands, enterprise, keyed, multiKey, on6g, type PasswordRule, type SsidDraft, securities } from './draft.ts';
import { type ExtraErrors, extraErrors, extrasOf, SsidExtras, typedExtras } from './ssid-extras.tsx';
import { KeyFields, keyErrors } from './ssid-keys.tsx';
import { newServer, RadiusFields, radiusErrors } from './ssid-radius.tsx';

type Wrong = Partial<Record<'name' | 'key' | 'bands', string | null>>;

export function SsidDialog(props: {
  ssid: SsidDraft;
  isNew: boolean;
  taken: readonly string[];
  rules: readonly PasswordRule[];
  onClose: () => void;
  onRemove: () => void;
  onDone: (ssid: SsidDraft) => void;
}) {
  const [ssid, setSsid] = useState(props.ssid);
  const [extras, setExtras] = useState(() => typedExtras(ssid));
  const [wrongExtras, setWrongExtras] = useState<ExtraErrors>({});
  const [wrong, setWrong] = useState<Wrong>({});
  const set = (part: Partial<SsidDraft>) => setSsid((now) => ({ ...now, ...part }));
  const [wrongRadius, setWrongRadius] = useState<ReturnType<typeof radiusErrors>>(null);
  const [wrongKeys, setWrongKeys] = useState<ReturnType<typeof keyErrors>>(null);
  const hasKey = keyed.includes(ssid.security);
  const asksRadius = enterprise.includes(ssid.security);
  const radius = ssid.radius ?? { auth: newServer(1812), acct: null };
  const keys = multiKey.includes(ssid.security) ? (ssid.keys ?? []) : null;
  const keyFields = keys && <KeyFields keys={keys} wrong={wrongKeys} onChange={(next) => set({ keys: next })} />;
  const hadKeys = (props.ssid.keys?.length ?? 0) > 0;
  const rule = props.rules.find((one) => one.ssid === ssid.name);
  const submit = () => {
    const key = ssid.key ?? '';
    const inputErrors: Wrong = {
      name:
        fieldError('ssid', ssid.name) ?? (props.taken.includes(ssid.name.trim()) ? t('validation.duplicate') : null),
      key: !hasKey || (key === '' && ssid.key_set) ? null : fieldError('wifiKey', key),
      bands:
        ssid.bands.length === 0
          ? t('wireless.bands_required')
          : ssid.bands.includes('6G') && !on6g.includes(ssid.security)
            ? t('wireless.security_6g')
            : null,
    };
    const extraInputErrors = extraErrors(extras);
    const radiusInputErrors = asksRadius ? radiusErrors(radius) : null;
    const keyInputErrors = keys && keyErrors(keys);
    setWrong(inputErrors);
    setWrongExtras(extraInputErrors);
    setWrongRadius(radiusInputErrors);
    setWrongKeys(keyInputErrors);
    const areWrong = [...Object.values(inputErrors), ...Object.values(extraInputErrors)].some(Boolean);
    if (areWrong || radiusInputErrors || keyInputErrors) return;
    const { key: typed, radius: _radius, keys: _keys, ...rest } = ssid;
    props.onDone({
      ...rest,
      ...(asksRadius && { radius }),
      ...(keys && keys.length > 0 && { keys }),
      ...(hasKey && typed ? { key: typed } : {}),
      ...extrasOf(extras),
    });
  };
  return (
    <Dialog
      title={props.isNew ? t('wireless.new') : t('wireless.edit')}
      onClose={props.onClose}
      onSubmit={submit}
      foot={
        <>
          {!props.isNew && (
            <Button kind="quiet" icon="trash" className="btn-bad foot-start" onClick={props.onRemove}>
              {t('wireless.remove')}
            </Button>
          )}
          <Button onClick={props.onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('wireless.apply')}
          </Button>
        </>
      }
    >
      <SwitchField checked={ssid.enabled} onChange={(enabled) => set({ enabled })}>
        {t('wireless.enabled')}
      </SwitchField>
      <SsidField
        label={t('wireless.name')}
        value={ssid.name}
        onChange={(name) => set({ name })}
        error={wrong.name}
        autoFocus
      />
      <SelectField
        label={t('wireless.security')}
        value={ssid.security}
        onChange={(security) => set({ security })}
        options={securities.map((value) => ({ value, label: t(`wireless.security_${value}`) }))}
      />
      {hasKey && (
        <SecretField
          label={t('wireless.key')}
          value={ssid.key ?? ''}
          optional={ssid.key_set}
          disabled={rule !== undefined && ssid.key_set}
          onChange={(key) => set({ key })}
          error={wrong.key}
          hint={rule ? <SetByRule rule={rule} /> : ssid.key_set ? t('wireless.key_keep') : t('wireless.key_new')}
          hintStays={rule !== undefined}
        />
      )}
      {asksRadius && <RadiusFields radius={radius} wrong={wrongRadius} onChange={(next) => set({ radius: next })} />}
      {hadKeys && keyFields}
      <fieldset className="bands">
        <legend className="field-label">{t('wireless.bands')}</legend>
        {bands.map((band) => (
          <CheckField
            key={band}
            checked={ssid.bands.includes(band)}
            onChange={(on) => set({ bands: bands.filter((each) => (each === band ? on : ssid.bands.includes(each))) })}
          >
            {t(`wireless.band_${band}`)}
          </CheckField>
        ))}
      </fieldset>
      {wrong.bands && <p className="field-error">{wrong.bands}</p>}
      <SsidExtras
        ssid={ssid}
        typed={extras}
        wrong={wrongExtras}
        more={keyFields && !hadKeys ? { isWrong: wrongKeys !== null, fields: keyFields } : null}
        onType={setExtras}
        onSwitch={set}
      />
    </Dialog>
  );
}

export function SetByRule({ rule }: { rule: PasswordRule }) {
  if (rule.name === null) return t('wireless.key_rule');
  return (
    <span className="in-text">
      {t('wireless.key_rule')} <Link to="/config/ac_dynamic_password">{rule.name}</Link>
    </span>
  );
}
