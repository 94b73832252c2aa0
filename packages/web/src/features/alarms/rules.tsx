import './alarms.css';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { type Search, useSearch } from '../../app/search.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { LevelTag } from '../../ui/alarm-level.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Failed } from '../../ui/empty.tsx';
import { duration } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { BacktestDialog } from './backtest.tsx';
import { valueText } from './labels.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { RuleDialog, refreshRules } from './rule-dialog.tsx';
import { hoursText } from './rule-hours.ts';
import { copyOf, narrowScopes, type OpenRule, type RuleRow } from './rule-row.ts';

export function Rules() {
  const { data, error, refetch } = useRead('/api/v3/alarm_rule/list', {});
  const mayWrite = useMay('message.write');
  // a rule is about all networks
  const { gwids } = useUser();
  const mayEdit = mayWrite && gwids === null;
  const [search, change] = useSearch();
  const [chosen, setChosen] = useState<OpenRule | null>(null);
  const editing = chosen ?? (mayEdit && data ? namedBy(data.list, search) : null);
  const close = () => {
    setChosen(null);
    if (search.rule) change({ rule: undefined, gwid: undefined, from_alarm: undefined });
  };
  const remove = async (id: string) => {
    await call('/api/v3/alarm_rule/delete', { id });
    notify('ok', t('alarm.rule_deleted'));
    await refreshRules();
  };
  const [testing, setTesting] = useState<RuleRow | null>(null);
  const [presets, setPresets] = useState(false);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  return (
    <section className="card">
      <div className="card-pad stack">
        <div className="spread">
          <p className="quiet">{t('alarm.rule_about')}</p>
          {mayEdit && (
            <Button icon="sliders" className="nowrap" onClick={() => setPresets(true)}>
              {t('alarm.presets')}
            </Button>
          )}
        </div>
        <Loading until={data !== undefined} lines={8}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('alarm.kind')}</th>
                <th>{t('alarm.level')}</th>
                <th>{t('alarm.tolerance')}</th>
                <th>{t('alarm.threshold')}</th>
                <th>{t('alarm.scope')}</th>
                <th>
                  <span className="sr">{t('action.edit')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data?.list.map((row) => (
                <RuleLine
                  key={row.rule.id ?? row.rule.kind}
                  row={row}
                  edit={mayEdit ? () => setChosen({ row, isFresh: false }) : null}
                  copy={mayEdit && narrowScopes(row.rule.kind).length > 0 ? () => setChosen(copyOf(row)) : null}
                  remove={mayEdit ? remove : null}
                  test={row.empty_scope ? null : () => setTesting(row)}
                />
              ))}
              {data?.without_source.map((kind) => (
                <tr key={kind}>
                  <td>
                    {t(`alarm.kind_${kind}`)} <Tag tone="none">{t('alarm.no_source')}</Tag>
                  </td>
                  <td colSpan={5} className="small dim">
                    {t(`alarm.no_source_${kind}`)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Loading>
        {editing && (
          <RuleDialog
            {...editing}
            zone={data?.time_zone ?? ''}
            from={editing === chosen ? undefined : search.from_alarm}
            onClose={close}
          />
        )}
        {testing && <BacktestDialog rule={testing.rule} onClose={() => setTesting(null)} />}
        {presets && <PresetDialog onClose={() => setPresets(false)} />}
      </div>
    </section>
  );
}

/** A link names a rule: the main one by its type, others by id; or the network for which one of its type is wanted. */
function namedBy(rules: readonly RuleRow[], { rule: named, gwid }: Search): OpenRule | null {
  const row = rules.find(({ rule: { id, kind } }) => (id ?? kind) === named);
  if (!row) return null;
  if (!gwid) return { row, isFresh: false };
  const existing = rules.find(
    ({ rule: { kind, scope } }) => kind === row.rule.kind && scope.type === 'networks' && scope.ids.includes(gwid),
  );
  return existing ? { row: existing, isFresh: false } : copyOf(row, gwid);
}

function RuleLine(props: {
  row: RuleRow;
  edit: (() => void) | null;
  test: (() => void) | null;
  copy: (() => void) | null;
  remove: ((id: string) => Promise<unknown>) | null;
}) {
  const { row, edit, test, copy, remove } = props;
  const { rule, changed, preset } = row;
  const name = t(`alarm.kind_${rule.kind}`);
  const { id } = rule;
  // rules of one type differ by their scope
  const full = id ? `${name} (${scopeText(rule)})` : name;
  return (
    <tr>
      <td className={id ? 'rule-own' : undefined}>
        {name} {!rule.enabled && <Tag tone="none">{t('alarm.rule_off')}</Tag>}{' '}
        {changed && !id && <Tag tone="info">{t('alarm.rule_by_hand')}</Tag>}
        {preset !== null && preset !== 'normal' && <Tag tone="none">{t(`alarm.preset_${preset}`)}</Tag>}
      </td>
      <td>
        <LevelTag level={rule.level} />
      </td>
      <td>{rule.tolerance === 0 ? t('alarm.at_once') : duration(rule.tolerance)}</td>
      <td>{rule.threshold === null ? <span className="dim">—</span> : valueText(rule.kind, rule.threshold)}</td>
      <td>
        {row.empty_scope ? (
          <span title={t('alarm.scope_empty_about')}>
            <Tag tone="warn">{t('alarm.scope_empty')}</Tag>
          </span>
        ) : (
          scopeText(rule)
        )}
        {rule.hours?.map((hours) => (
          <span key={hoursText(hours)} className="small dim rule-hours">
            {hoursText(hours)}
          </span>
        ))}
      </td>
      <td className="nowrap">
        {test && <IconButton icon="activity" label={t('alarm.backtest_rule', { name: full })} onClick={test} />}
        {edit && <IconButton icon="edit" label={t('alarm.rule_edit', { name: full })} onClick={edit} />}
        {copy && <IconButton icon="copy" label={t('alarm.rule_copy', { name: full })} onClick={copy} />}
        {remove && id && (
          <ConfirmPopover
            question={t('alarm.rule_delete_question')}
            confirm={t('action.delete')}
            act={() => remove(id)}
          >
            {(trigger) => <IconButton icon="trash" label={t('alarm.rule_delete', { name: full })} {...trigger} />}
          </ConfirmPopover>
        )}
      </td>
    </tr>
  );
}

function scopeText({ scope: { type, ids } }: RuleRow['rule']): string {
  const text = t(`alarm.scope_${type}`);
  return type === 'all' ? text : `${text} (${t('alarm.scope_n', { n: ids.length })})`;
}
