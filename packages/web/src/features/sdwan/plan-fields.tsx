import { useId } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { SdwanType } from './graph-layout.ts';
import { NodeErrors } from './node-table.tsx';
import { type Checked, fitted, type Mode, type PlanError } from './plan.ts';
import { TypeSketch } from './type-sketch.tsx';
import type { Draft } from './use-check.ts';

/** The usual one first. */
const types: readonly SdwanType[] = [2, 1, 3];
const modes: readonly Mode[] = ['vertical', 'breakpoint', 'transit'];

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Where a heading says the same. */
  hideLabel?: boolean;
}

export function TypeField({ draft, onChange, hideLabel }: Props) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className={hideLabel ? 'sr' : 'field-label'}>{t('sdwan.type')}</legend>
      <div className="sdwan-types">
        {types.map((type) => (
          <label key={type} className="sdwan-type">
            <input
              type="radio"
              className="sr"
              name={name}
              checked={draft.type === type}
              aria-describedby={`${name}${type}`}
              onChange={() => onChange({ ...draft, type, nodes: fitted(type, draft.nodes) })}
            />
            <TypeSketch type={type} />
            <strong>{t(`sdwan.type_${type}`)}</strong>
            <span id={`${name}${type}`} className="small dim" aria-hidden="true">
              {t(`sdwan.type_hint_${type}`)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function ModeField({ draft, onChange, hideLabel = false }: Props) {
  if (draft.type === 1) return <p className="quiet">{t('sdwan.mode_peer')}</p>;
  return (
    <div className="stack stack-s">
      <Choice
        label={t('sdwan.mode')}
        hideLabel={hideLabel}
        value={draft.mode}
        options={modes.map((value) => ({ value, label: t(`sdwan.mode_${value}`) }))}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      <p className="small dim">{t(`sdwan.mode_hint_${draft.mode}`)}</p>
    </div>
  );
}

const standard = 'standard';

export function StrategyField({ draft, onChange }: Props) {
  const { data } = useRead('/api/v3/sdwan/link_strategy/list', { page: 1, limit: 100, sort: 'name' });
  const list = (data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      label={t('home.sdwan_link_strategy')}
      hint={t('sdwan.strategy_hint')}
      value={draft.strategy_id ?? standard}
      options={[{ value: standard, label: t('sdwan.strategy_standard') }, ...list]}
      onChange={(id) => onChange({ ...draft, strategy_id: id === standard ? null : id })}
    />
  );
}

export function WholeErrors({ errors }: { errors: readonly PlanError[] }) {
  const whole = errors.filter(({ key }) => key === null);
  if (whole.length === 0) return null;
  return (
    <div role="alert">
      <NodeErrors errors={whole} nameOf={(text) => text} />
    </div>
  );
}

export function Changes({ checked, nameOf }: { checked: Checked; nameOf: (key: string) => string }) {
  const changes = checked.changes.flatMap(({ change, ...more }) =>
    change === 'unchanged' ? [] : [{ change, ...more }],
  );
  if (changes.length === 0) return <p className="quiet">{t('sdwan.no_changes')}</p>;
  return (
    <table className="plain-table">
      <caption className="sr">{t('sdwan.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('sdwan.col_name')}</th>
          <th scope="col">{t('sdwan.change')}</th>
          <th scope="col">{t('sdwan.tunnels')}</th>
          <th scope="col">{t('sdwan.routes')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.slice(0, maxShown).map((one) => (
          <tr key={one.key}>
            <th scope="row">{nameOf(one.key)}</th>
            <td>{t(`sdwan.change_${one.change}`)}</td>
            <td>{t('sdwan.plus_minus', { plus: one.tunnels_added, minus: one.tunnels_removed })}</td>
            <td>{t('sdwan.plus_minus', { plus: one.routes_added, minus: one.routes_removed })}</td>
          </tr>
        ))}
      </tbody>
      {changes.length > maxShown && (
        <tfoot>
          <tr>
            <td colSpan={4}>{t('sdwan.more_changes', { n: changes.length - maxShown })}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

const maxShown = 100;
