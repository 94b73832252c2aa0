import { rules } from '@yunxun/contract/rules';
import { type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Advanced } from '../../ui/advanced.tsx';
import { SwitchField } from '../../ui/field.tsx';
import { listed } from '../../ui/refusal.ts';
import { NumberField } from '../../ui/rule-fields.tsx';
import type { SsidDraft } from './draft.ts';

const numbers = {
  vlan: { label: 'wireless.vlan', short: 'wireless.extra_vlan', hint: 'wireless.vlan_hint', min: 2, max: 4050 },
  maximum_clients: {
    label: 'wireless.max_clients',
    short: 'wireless.extra_clients',
    hint: 'wireless.max_clients_hint',
    min: 1,
    max: 2007,
  },
  down_mbps: { label: 'wireless.down', short: 'wireless.extra_rate', hint: 'wireless.limit_hint', min: 1, max: 10_000 },
  up_mbps: { label: 'wireless.up', short: 'wireless.extra_rate', hint: 'wireless.limit_hint', min: 1, max: 10_000 },
} as const;
type NumberExtra = keyof typeof numbers;
const numberExtras = Object.keys(numbers) as NumberExtra[];
const switchExtras = ['hidden', 'isolate'] as const;

export type TypedExtras = Record<NumberExtra, string>;
export type ExtraErrors = Partial<Record<NumberExtra, string | null>>;

const eachExtra = <V,>(of: (field: NumberExtra) => V) =>
  Object.fromEntries(numberExtras.map((field) => [field, of(field)])) as Record<NumberExtra, V>;

export const typedExtras = (ssid: SsidDraft): TypedExtras => eachExtra((field) => String(ssid[field] ?? ''));

export const extrasOf = (typed: TypedExtras): Record<NumberExtra, number | null> =>
  eachExtra((field) => (typed[field] === '' ? null : Number(typed[field])));

export function extraErrors(typed: TypedExtras): ExtraErrors {
  return eachExtra((field) => {
    const { min, max } = numbers[field];
    const text = typed[field];
    if (text === '') return null;
    const value = rules.integer.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? null : t('validation.between', { min, max });
  });
}

interface Props {
  ssid: SsidDraft;
  typed: TypedExtras;
  wrong: ExtraErrors;
  /** More passwords, if the SSID has none yet. */
  more: { isWrong: boolean; fields: ReactNode } | null;
  onType: (typed: TypedExtras) => void;
  onSwitch: (part: Partial<Pick<SsidDraft, 'hidden' | 'isolate'>>) => void;
}

export function SsidExtras(props: Props) {
  const { ssid, typed, wrong, more } = props;
  // as it was opened: a field does not move while it is edited
  const [used] = useState<readonly string[]>(() => [
    ...numberExtras.filter((field) => typed[field] !== ''),
    ...switchExtras.filter((field) => ssid[field]),
  ]);
  const chosen = (isUsed: boolean): Chosen => ({
    numbers: numberExtras.filter((field) => used.includes(field) === isUsed),
    switches: switchExtras.filter((field) => used.includes(field) === isUsed),
  });
  const [outside, inside] = [chosen(true), chosen(false)];
  const names = new Set([
    ...inside.numbers.map((field) => t(numbers[field].short)),
    ...inside.switches.map((field) => t(`wireless.extra_${field}`)),
    ...(more ? [t('wireless.extra_keys')] : []),
  ]);
  return (
    <>
      <Fields {...props} chosen={outside} />
      {names.size > 0 && (
        <Advanced
          about={listed([...names])}
          wrong={more?.isWrong || inside.numbers.some((field) => Boolean(wrong[field]))}
        >
          <div className="ssid-extras">
            <Fields {...props} chosen={inside} />
            {more?.fields}
          </div>
        </Advanced>
      )}
    </>
  );
}

interface Chosen {
  numbers: readonly NumberExtra[];
  switches: readonly (typeof switchExtras)[number][];
}

function Fields({ ssid, typed, wrong, chosen, onType, onSwitch }: Props & { chosen: Chosen }) {
  return (
    <>
      {chosen.numbers.length > 0 && (
        <div className="pair">
          {chosen.numbers.map((field) => {
            const { label, hint, min, max } = numbers[field];
            return (
              <NumberField
                key={field}
                label={t(label)}
                min={min}
                max={max}
                optional
                value={typed[field]}
                onChange={(text) => onType({ ...typed, [field]: text })}
                error={wrong[field]}
                hint={t(hint)}
              />
            );
          })}
        </div>
      )}
      {chosen.switches.length > 0 && (
        <div className="row row-wide">
          {chosen.switches.map((field) => (
            <SwitchField key={field} checked={ssid[field]} onChange={(on) => onSwitch({ [field]: on })}>
              {t(`wireless.${field}`)}
            </SwitchField>
          ))}
        </div>
      )}
    </>
  );
}
