import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { fieldError } from '../../ui/field.tsx';
import { FreeTextField, MacField, NumberField, SecretField, whole } from '../../ui/rule-fields.tsx';
import type { KeyDraft } from './draft.ts';

const maxKeys = 64;
const vlans = { min: 2, max: 4050 } as const;

type Wrong = Partial<Record<'label' | 'key' | 'mac' | 'vlan', string | null>>;

export function keyErrors(keys: readonly KeyDraft[]): Wrong[] | null {
  const wrong = keys.map(
    ({ label, key = '', key_set, mac, vlan }): Wrong => ({
      label:
        fieldError('freeText', label) ??
        (keys.filter((one) => one.label === label).length > 1 ? t('validation.duplicate') : null),
      key: key === '' && key_set ? null : fieldError('wifiKey', key),
      mac: fieldError('mac', mac, true),
      vlan: vlan === '' || whole(vlans.min, vlans.max).test(vlan) ? null : t('validation.between', vlans),
    }),
  );
  return wrong.some((one) => Object.values(one).some(Boolean)) ? wrong : null;
}

export function KeyFields(props: {
  keys: readonly KeyDraft[];
  wrong: readonly Wrong[] | null;
  onChange: (keys: KeyDraft[]) => void;
}) {
  const { keys, wrong, onChange } = props;
  const add = () =>
    onChange([...keys, { ref: `key ${Date.now()} ${keys.length}`, label: '', key_set: false, mac: '', vlan: '' }]);
  return (
    <fieldset className="bands ssid-keys">
      <legend className="field-label">{t('wireless.keys')}</legend>
      <p className="small quiet">{t('wireless.keys_hint')}</p>
      {keys.map((one, index) => {
        const set = (part: Partial<KeyDraft>) =>
          onChange(keys.map((each) => (each.ref === one.ref ? { ...each, ...part } : each)));
        const inputErrors = wrong?.[index] ?? {};
        return (
          <div key={one.ref} className="ssid-key">
            <FreeTextField
              label={t('wireless.keys_label')}
              maxLength={32}
              value={one.label}
              error={inputErrors.label}
              onChange={(label) => set({ label })}
            />
            <SecretField
              label={t('wireless.key')}
              value={one.key ?? ''}
              optional={one.key_set}
              hint={one.key_set ? t('wireless.key_keep') : t('wireless.key_new')}
              error={inputErrors.key}
              onChange={(key) => set({ key })}
            />
            <MacField
              label={t('wireless.keys_mac')}
              optional
              value={one.mac}
              error={inputErrors.mac}
              onChange={(mac) => set({ mac: mac.trim() })}
            />
            <NumberField
              label={t('wireless.vlan')}
              {...vlans}
              optional
              value={one.vlan}
              error={inputErrors.vlan}
              onChange={(vlan) => set({ vlan })}
            />
            <IconButton
              icon="trash"
              label={t('wireless.keys_remove', { name: one.label || String(index + 1) })}
              onClick={() => onChange(keys.filter((each) => each.ref !== one.ref))}
            />
          </div>
        );
      })}
      <Button
        icon="plus"
        why={keys.length >= maxKeys ? t('wireless.keys_most', { n: maxKeys }) : undefined}
        onClick={add}
      >
        {t('wireless.keys_add')}
      </Button>
    </fieldset>
  );
}
