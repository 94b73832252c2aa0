import type { ReactNode } from 'react';
import type { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { fieldError, SelectField, SwitchField, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { whole } from '../../ui/rule-fields.tsx';
import { vlans } from '../switches/index.ts';
import { isTaggedRight, newRule, type RuleDraft, typedRange } from './port-draft.ts';

/** Maximum rules per template (contract: switchLimits.portRules). */
const maxRules = 32;
const trunks = ['network', 'none', 'some'] as const;

/** Switch port rules in order; later rules override earlier ones. */
export function PortRulesCard(props: {
  rules: readonly RuleDraft[];
  change: (rules: RuleDraft[]) => void;
  fields: ApiError['fields'];
  readOnly: boolean;
  lock: ReactNode;
}) {
  const { rules, change, readOnly } = props;
  return (
    <Card
      title={t('template.ports')}
      actions={
        <span className="row">
          {props.lock}
          {!readOnly && (
            <Button
              icon="plus"
              why={rules.length >= maxRules ? t('validation.maxItems', { max: maxRules }) : undefined}
              onClick={() => change([...rules, newRule()])}
            >
              {t('template.ports_add')}
            </Button>
          )}
        </span>
      }
    >
      <div className="stack">
        <p className="small quiet">{t('template.ports_body')}</p>
        {rules.length === 0 && <p className="quiet">{t('template.ports_none')}</p>}
        {rules.map((rule, index) => (
          <Rule
            key={rule.ref}
            rule={rule}
            number={index + 1}
            readOnly={readOnly}
            textOf={(field) => props.fields[`general.ports.${index}.${field}`]?.[0]}
            set={(part) => change(rules.map((one) => (one === rule ? { ...one, ...part } : one)))}
            remove={() => change(rules.filter((one) => one !== rule))}
            up={index === 0 ? null : () => change(rules.toSpliced(index - 1, 2, rule, rules[index - 1]!))}
          />
        ))}
      </div>
    </Card>
  );
}

export type RuleField = `general.ports.${number}.${'ports' | 'vlan' | 'tagged'}`;

const vlanRule = whole(vlans.min, vlans.max);

export function wrongRules(rules: readonly RuleDraft[]): Partial<Record<RuleField, string>> {
  const wrong: Partial<Record<RuleField, string>> = {};
  for (const [index, rule] of rules.entries()) {
    const [ports, vlan] = [fieldError('portRange', rule.ports), fieldError(vlanRule, rule.vlan)];
    if (ports) wrong[`general.ports.${index}.ports`] = ports;
    if (vlan) wrong[`general.ports.${index}.vlan`] = vlan;
    if (!isTaggedRight(rule)) wrong[`general.ports.${index}.tagged`] = t('template.ports_tagged_wrong');
  }
  return wrong;
}

export function fieldsOf(wrong: Readonly<Partial<Record<string, string | null>>>): ApiError['fields'] {
  return Object.fromEntries(
    Object.entries(wrong).flatMap(([field, inputError]) => (inputError ? [[field, [inputError]]] : [])),
  );
}

function Rule(props: {
  rule: RuleDraft;
  number: number;
  readOnly: boolean;
  textOf: (field: 'ports' | 'vlan' | 'tagged') => string | undefined;
  set: (part: Partial<RuleDraft>) => void;
  remove: () => void;
  up: (() => void) | null;
}) {
  const { rule, number: n, readOnly: disabled, textOf: reported, set } = props;
  const wrongTagged = rule.tagged !== '' && !isTaggedRight(rule) ? t('template.ports_tagged_wrong') : null;
  return (
    <fieldset className="port-rule" aria-label={t('template.ports_rule', { n })}>
      <div className="general">
        <TextField
          label={t('template.ports_range')}
          value={rule.ports}
          rule="portRange"
          placeholder="1-8,10"
          maxLength={200}
          disabled={disabled}
          error={reported('ports')}
          hint={t('template.ports_range_hint')}
          onChange={(ports) => set({ ports: typedRange(ports) })}
        />
        <TextField
          label={t('template.ports_vlan')}
          value={rule.vlan}
          rule={vlanRule}
          inputMode="numeric"
          maxLength={4}
          disabled={disabled}
          error={reported('vlan')}
          onChange={(vlan) => set({ vlan })}
        />
        <SelectField
          label={t('template.ports_tagged')}
          value={rule.trunk}
          disabled={disabled}
          options={trunks.map((value) => ({ value, label: t(`template.ports_tagged_${value}`) }))}
          onChange={(trunk) => set({ trunk })}
        />
        {rule.trunk === 'some' && (
          <TextField
            label={t('template.ports_tagged_list')}
            value={rule.tagged}
            placeholder="20, 30"
            disabled={disabled}
            error={wrongTagged ?? reported('tagged')}
            onChange={(tagged) => set({ tagged })}
          />
        )}
        <SwitchField checked={rule.enabled} disabled={disabled} onChange={(enabled) => set({ enabled })}>
          {t('template.ports_enabled')}
        </SwitchField>
        <SwitchField checked={rule.poe} disabled={disabled} onChange={(poe) => set({ poe })}>
          {t('template.ports_poe')}
        </SwitchField>
      </div>
      {!disabled && (
        <span className="row nowrap">
          {props.up && <IconButton icon="chevron_up" label={t('template.ports_up', { n })} onClick={props.up} />}
          <IconButton icon="trash" label={t('template.ports_remove', { n })} onClick={props.remove} />
        </span>
      )}
    </fieldset>
  );
}
