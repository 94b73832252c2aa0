import { useState } from 'react';
import type { Data, Input } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ChangeTable, leavesOf } from '../../ui/changes/change-table.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { StatusTag, Tag, type Tone } from '../../ui/status.tsx';
import { dropLines, findingText } from '../configuration/index.ts';
import type { Targets } from './targets.ts';

export type Impact = Data<'/api/v3/wireless_template/preview'>;
type Device = Impact['devices'][number];

const tones: Record<Device['effect'], Tone> = { changed: 'brand', unchanged: 'none', wrong: 'bad', unknown: 'warn' };
const PAGE = 50;

export function ImpactView(props: {
  impact: Impact;
  template: string;
  /** Targets from which the template is removed; null: it is pushed. */
  off: Targets | null;
}) {
  const { impact, template, off } = props;
  const { totals } = impact;
  const everywhere = off !== null && Object.keys(off).length === 0;
  if (totals.devices === 0)
    return <p>{t(off === null ? 'impact.no_devices' : everywhere ? 'impact.none_off' : 'impact.none')}</p>;
  const facts = [
    ...dropsOf(totals),
    ...dropLines(impact.drops),
    totals.channels > 0 ? t('impact.channels', { n: totals.channels }) : '',
    totals.offline > 0 ? t('impact.offline', { n: totals.offline }) : '',
    totals.unknown > 0 ? t('impact.unknown', { n: totals.unknown }) : '',
  ].filter(Boolean);
  return (
    <>
      <div className="preview-sum">
        <p>
          <strong>
            {t('impact.sum', { changed: totals.changed, devices: totals.devices, networks: totals.networks })}
          </strong>
        </p>
        <ul className="small quiet impact-facts">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </div>
      {totals.first > 0 && <p className="notice">{t('impact.first', { n: totals.first })}</p>}
      {totals.wrong > 0 && <p className="notice notice-bad">{t('impact.wrong', { n: totals.wrong })}</p>}
      {impact.ssids.length > 0 && (
        <ul className="impact-lines">
          {impact.ssids.map((ssid) => (
            <li key={`${ssid.change}${ssid.name}${ssid.before}`}>
              <Tag tone={ssid.change === 'removed' ? 'bad' : 'brand'}>{t(`impact.ssid_${ssid.change}`)}</Tag>
              <span>
                {ssid.before === null ? ssid.name : t('impact.renamed', { before: ssid.before, name: ssid.name })}
              </span>
              <span className="dim small">{t('impact.on_devices', { n: ssid.devices })}</span>
            </li>
          ))}
        </ul>
      )}
      {impact.unsupported.length > 0 && (
        <>
          <h3 className="small">{t('impact.unsupported')}</h3>
          <ul className="small findings impact-findings">
            {impact.unsupported.slice(0, PAGE).map((one) => (
              <li key={`${one.model}${one.code}${one.field}${JSON.stringify(one.params)}`} data-severity={one.severity}>
                <Icon name={one.severity === 'wrong' ? 'alert' : 'info'} size={14} />
                <span>{t('impact.of_model', { model: one.model, n: one.devices, said: findingText(one) })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Devices devices={impact.devices} preview={{ id: template, version: off ? null : impact.version, ...off }} />
    </>
  );
}

/** Unknown if the console has not set the previous password. */
export function dropsOf({ terminals: n, lost, first }: Impact['totals']): string[] {
  if (n === 0) return [t('impact.no_terminals')];
  if (lost === 0 && first === 0) return [t('impact.terminals', { n })];
  return [t('impact.terminals_drop', { n }), ...(lost > 0 ? [t('impact.terminals_lost', { n: lost })] : [])];
}

type PreviewInput = Omit<Input<'/api/v3/wireless_template/preview_device'>, 'serial'>;

function Devices(props: { devices: readonly Device[]; preview: PreviewInput }) {
  const [shown, setShown] = useState(PAGE);
  const ordered = props.devices.toSorted((a, b) => rank(a) - rank(b));
  return (
    <>
      <div className="preview-list">
        {ordered.slice(0, shown).map((device) => (
          <DeviceLine key={device.serial} device={device} preview={props.preview} />
        ))}
      </div>
      {ordered.length > shown && (
        <Button onClick={() => setShown(shown + PAGE)}>{t('impact.more', { n: ordered.length - shown })}</Button>
      )}
    </>
  );
}

const rank = ({ effect }: Device) => ['wrong', 'changed', 'unknown', 'unchanged'].indexOf(effect);

function DeviceLine({ device, preview }: { device: Device; preview: PreviewInput }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="preview-device" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron_right" size={14} />
        <strong className="ellipsis">{device.name}</strong>
        {device.status !== 'online' && <StatusTag status={device.status} />}
        <span className="small dim">
          {device.terminals
            ? t('impact.drop', { n: device.terminals })
            : device.changes > 0 && t('impact.values', { n: device.changes })}
        </span>
        <Tag tone={tones[device.effect]}>{t(`wireless.effect_${device.effect}`)}</Tag>
      </summary>
      {open && <DeviceDiff serial={device.serial} preview={preview} />}
    </details>
  );
}

function DeviceDiff({ serial, preview }: { serial: string; preview: PreviewInput }) {
  const { data, error, refetch } = useRead('/api/v3/wireless_template/preview_device', { ...preview, serial });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  return (
    <Loading until={data !== undefined}>
      {data && (
        <>
          {data.findings.length > 0 && (
            <ul className="small findings">
              {data.findings.map((finding) => (
                <li
                  key={`${finding.code}${finding.field}${JSON.stringify(finding.params)}`}
                  data-severity={finding.severity}
                >
                  <Icon name={finding.severity === 'wrong' ? 'alert' : 'info'} size={14} />
                  {findingText(finding)}
                </li>
              ))}
            </ul>
          )}
          {data.changes.length === 0 ? (
            <p className="small quiet preview-note">{t('impact.no_changes')}</p>
          ) : (
            <ChangeTable lines={data.changes.flatMap(leavesOf)} />
          )}
          {data.more > 0 && <p className="small dim">{t('wireless.more_changes', { n: data.more })}</p>}
        </>
      )}
    </Loading>
  );
}
