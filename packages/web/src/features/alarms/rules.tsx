import './alarms.css';
import { type AlarmGroup, alarmGroups, kindParts } from '@yunxun/contract/alarm-kinds';
import { type ReactNode, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { type Search, useSearch } from '../../app/search.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { BacktestDialog } from './backtest.tsx';
import { PresetDialog } from './preset-dialog.tsx';
import { RuleDialog, refreshRules } from './rule-dialog.tsx';
import { RuleLine } from './rule-line.tsx';
import { copyOf, narrowScopes, type OpenRule, type RuleRow } from './rule-row.ts';

type Answer = Data<'/api/v3/alarm_rule/list'>;

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
          <table className="plain-table rule-table">
            <thead>
              <tr>
                <th>
                  <span className="sr">{t('alarm.rule_enabled')}</span>
                </th>
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
            {data &&
              alarmGroups.map((group) => (
                <RuleGroup key={group} group={group} data={data}>
                  {(row) => (
                    <RuleLine
                      key={row.rule.id ?? row.rule.kind}
                      row={row}
                      mayEdit={mayEdit}
                      edit={() => setChosen({ row, isFresh: false })}
                      copy={narrowScopes(row.rule.kind).length > 0 ? () => setChosen(copyOf(row)) : null}
                      remove={remove}
                      test={row.empty_scope ? null : () => setTesting(row)}
                    />
                  )}
                </RuleGroup>
              ))}
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

function RuleGroup(props: { group: AlarmGroup; data: Answer; children: (row: RuleRow) => ReactNode }) {
  const { group, data } = props;
  const rows = data.list.filter(({ rule }) => kindParts[rule.kind].group === group);
  const main = rows.filter(({ rule }) => !rule.id);
  const on = main.filter(({ rule }) => rule.enabled).length;
  return (
    <tbody>
      <tr className="rule-group">
        <th scope="rowgroup" colSpan={7}>
          {t(`alarm.group_${group}`)} <span className="small dim">{t('alarm.group_on', { on, all: main.length })}</span>
        </th>
      </tr>
      {rows.map(props.children)}
      {group === 'platform' &&
        data.without_source.map((kind) => (
          <tr key={kind}>
            <td />
            <td>
              {t(`alarm.kind_${kind}`)} <Tag tone="none">{t('alarm.no_source')}</Tag>
            </td>
            <td colSpan={5} className="small dim">
              {t(`alarm.no_source_${kind}`)}
            </td>
          </tr>
        ))}
    </tbody>
  );
}
