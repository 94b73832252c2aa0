import { rules } from '@yunxun/contract/rules';
import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, fieldError, SelectField, SwitchField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { NumberField, SecretField, SsidField } from '../../ui/rule-fields.tsx';
import { bands, enterprise, keyed, multiKey, on6g, type PasswordRule, type SsidDraft, securities } from './draft.ts';
import { KeyFields, keyErrors } from './ssid-keys.tsx';
import { newServer, RadiusFields, radiusErrors } from './ssid-radius.tsx';

type Wrong = Partial<Record<'name' | 'key' | 'bands' | 'vlan' | 'clients' | 'down' | 'up', string | null>>;
const limits = { vlan: [2, 4050], clients: [1, 2007], rate: [1, 10_000] } as const;

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

function range(text: string, [min, max]: readonly [number, number]): string | null {
  if (text === '') return null;
  const value = rules.integer.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? null : t('validation.between', { min, max });
}

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
  const [numbers, setNumbers] = useState({
    vlan: textOf(ssid.vlan),
    clients: textOf(ssid.maximum_clients),
    down: textOf(ssid.down_mbps),
    up: textOf(ssid.up_mbps),
  });
  const [wrong, setWrong] = useState<Wrong>({});
  const set = (part: Partial<SsidDraft>) => setSsid((now) => ({ ...now, ...part }));
  const [wrongRadius, setWrongRadius] = useState<ReturnType<typeof radiusErrors>>(null);
  const [wrongKeys, setWrongKeys] = useState<ReturnType<typeof keyErrors>>(null);
  const hasKey = keyed.includes(ssid.security);
  const asksRadius = enterprise.includes(ssid.security);
  const radius = ssid.radius ?? { auth: newServer(1812), acct: null };
  const keys = multiKey.includes(ssid.security) ? (ssid.keys ?? []) : null;
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
      vlan: range(numbers.vlan, limits.vlan),
      clients: range(numbers.clients, limits.clients),
      down: range(numbers.down, limits.rate),
      up: range(numbers.up, limits.rate),
    };
    const radiusInputErrors = asksRadius ? radiusErrors(radius) : null;
    const keyInputErrors = keys && keyErrors(keys);
    setWrong(inputErrors);
    setWrongRadius(radiusInputErrors);
    setWrongKeys(keyInputErrors);
    if (Object.values(inputErrors).some(Boolean) || radiusInputErrors || keyInputErrors) return;
    const { key: typed, radius: _radius, keys: _keys, ...rest } = ssid;
    props.onDone({
      ...rest,
      ...(asksRadius && { radius }),
      ...(keys && keys.length > 0 && { keys }),
      ...(hasKey && typed ? { key: typed } : {}),
      vlan: numberOf(numbers.vlan),
      maximum_clients: numberOf(numbers.clients),
      down_mbps: numberOf(numbers.down),
      up_mbps: numberOf(numbers.up),
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
      {keys && <KeyFields keys={keys} wrong={wrongKeys} onChange={(next) => set({ keys: next })} />}
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
      <div className="pair">
        <NumberField
          label={t('wireless.vlan')}
          min={2}
          max={4050}
          optional
          value={numbers.vlan}
          onChange={(vlan) => setNumbers({ ...numbers, vlan })}
          error={wrong.vlan}
          hint={t('wireless.vlan_hint')}
        />
        <NumberField
          label={t('wireless.max_clients')}
          min={1}
          max={2007}
          optional
          value={numbers.clients}
          onChange={(clients) => setNumbers({ ...numbers, clients })}
          error={wrong.clients}
          hint={t('wireless.max_clients_hint')}
        />
        <NumberField
          label={t('wireless.down')}
          min={1}
          max={10_000}
          optional
          value={numbers.down}
          onChange={(down) => setNumbers({ ...numbers, down })}
          error={wrong.down}
          hint={t('wireless.limit_hint')}
        />
        <NumberField
          label={t('wireless.up')}
          min={1}
          max={10_000}
          optional
          value={numbers.up}
          onChange={(up) => setNumbers({ ...numbers, up })}
          error={wrong.up}
          hint={t('wireless.limit_hint')}
        />
      </div>
      <div className="row row-wide">
        <SwitchField checked={ssid.hidden} onChange={(hidden) => set({ hidden })}>
          {t('wireless.hidden')}
        </SwitchField>
        <SwitchField checked={ssid.isolate} onChange={(isolate) => set({ isolate })}>
          {t('wireless.isolate')}
        </SwitchField>
      </div>
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
