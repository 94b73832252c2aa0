import type { AlarmKind, AlarmPreset } from '@yunxun/contract';
import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { LevelTag } from '../../ui/alarm-level.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { count, duration, exactTime } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { valueText } from './labels.ts';

type Preview = Data<'/api/v3/alarm_rule/preset/preview'>;

export function PresetDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/alarm_rule/preset/preview', {});
  const [chosen, setChosen] = useState<AlarmPreset | null>(null);
  const preset = chosen ?? data?.current ?? 'normal';
  const apply = useWrite('/api/v3/alarm_rule/preset/apply', [
    '/api/v3/alarm_rule/list',
    '/api/v3/alarm_rule/preset/preview',
    '/api/v3/alarm_rule/simulate',
  ]);
  const submit = async () => {
    await apply.mutateAsync({ preset });
    notify('ok', t('alarm.preset_applied'));
    onClose();
  };
  return (
    <Dialog
      wide
      title={t('alarm.presets')}
      onClose={onClose}
      onSubmit={() => void submit().catch(() => undefined)}
      foot={
        <SendFoot onClose={onClose} busy={apply.isPending} disabled={!data}>
          {t('alarm.preset_apply')}
        </SendFoot>
      }
    >
      <div className="stack">
        <p className="quiet">{t('alarm.presets_about')}</p>
        {error && !data ? (
          <Failed small error={error} retry={() => void refetch()} />
        ) : (
          <Loading until={data !== undefined} lines={8}>
            {data && <Presets data={data} preset={preset} choose={setChosen} />}
          </Loading>
        )}
      </div>
    </Dialog>
  );
}

function Presets(props: { data: Preview; preset: AlarmPreset; choose: (preset: AlarmPreset) => void }) {
  const { data, preset, choose } = props;
  const untested = data.history.flatMap(({ kind, from }) => (from === null ? [kind] : []));
  const rules = data.presets.find((one) => one.preset === preset)?.rules ?? [];
  return (
    <>
      <p className="quiet">{t('alarm.presets_from', { from: exactTime(new Date(data.from)) })}</p>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('alarm.preset')}</th>
            <th className="right">{t('alarm.alarms_count')}</th>
            <th className="right">{t('alarm.notices_count')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t('alarm.preset_saved')}</td>
            <td className="right">{count(data.saved.alarms)}</td>
            <td className="right">{count(data.saved.notices)}</td>
          </tr>
          {data.presets.map(({ preset: each, alarms, notices }) => (
            <tr key={each}>
              <td>
                <label className="check">
                  <input
                    type="radio"
                    className="box"
                    name="preset"
                    checked={each === preset}
                    onChange={() => choose(each)}
                  />
                  <span>{t(`alarm.preset_${each}`)}</span>
                </label>{' '}
                {data.current === each && <Tag tone="info">{t('alarm.preset_current')}</Tag>}
              </td>
              <td className="right">{count(alarms)}</td>
              <td className="right">{count(notices)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.overwrites.length > 0 && (
        <Kinds kinds={data.overwrites} tone="warn" text={t('alarm.preset_overwrites', { n: data.overwrites.length })} />
      )}
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('alarm.kind')}</th>
            <th>{t('alarm.level')}</th>
            <th>{t('alarm.tolerance')}</th>
            <th>{t('alarm.threshold')}</th>
            <th className="right">{t('alarm.made')}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ rule, alarms }) => (
            <tr key={rule.kind}>
              <td>
                {t(`alarm.kind_${rule.kind}`)} {!rule.enabled && <Tag tone="none">{t('alarm.rule_off')}</Tag>}
              </td>
              <td>
                <LevelTag level={rule.level} />
              </td>
              <td>{rule.tolerance === 0 ? t('alarm.at_once') : duration(rule.tolerance)}</td>
              <td>{rule.threshold === null ? <span className="dim">—</span> : valueText(rule.kind, rule.threshold)}</td>
              <td className="right">{alarms === null ? <span className="dim">—</span> : count(alarms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {untested.length > 0 && <Kinds kinds={untested} tone="none" text={t('alarm.preset_uncounted')} />}
    </>
  );
}

function Kinds({ kinds, tone, text }: { kinds: readonly AlarmKind[]; tone: 'warn' | 'none'; text: string }) {
  return (
    <div className="stack stack-s">
      <p>{text}</p>
      <div className="row">
        {kinds.map((kind) => (
          <Tag key={kind} tone={tone}>
            {t(`alarm.kind_${kind}`)}
          </Tag>
        ))}
      </div>
    </div>
  );
}
