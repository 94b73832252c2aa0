import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { duration, mac, shortTime } from '../../ui/format.ts';
import { operatorName } from '../../ui/operator.ts';
import { OutageCauseText } from '../../ui/outage-cause.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { type Mark, markKey, marksWithin, type Timeline, useOpenMark } from './mark.ts';
import { MarkSign } from './mark-band.tsx';

/** Events that are listed before "show all". */
const SHOWN = 8;

/** Newest, all, or those before a chosen point. */
export function MarkList(props: { data: Timeline; within: [from: number, to: number] | null; reset: () => void }) {
  const { data, within, reset } = props;
  const [all, setAll] = useState(false);
  const found = within ? marksWithin(data.marks, ...within) : data.marks;
  const shown = within || all ? found : found.slice(0, SHOWN);
  const title = within
    ? t('timeline.events_before', { from: shortTime(new Date(within[0])), to: shortTime(new Date(within[1])) })
    : t('timeline.events');
  return (
    <section className="stack stack-s" aria-live="polite">
      <h3 className="section-title">
        {title}
        {within ? (
          <Button kind="link" onClick={reset}>
            {t('timeline.show_all')}
          </Button>
        ) : (
          found.length > SHOWN && (
            <Button kind="link" onClick={() => setAll(!all)}>
              {all ? t('timeline.show_newest') : t('timeline.show_all')}
            </Button>
          )
        )}
      </h3>
      {shown.length > 0 ? (
        <Rows marks={shown} asOf={data.as_of} />
      ) : (
        <p className="small dim">{within ? t('timeline.none_before') : t('timeline.none')}</p>
      )}
      {data.left_out > 0 && <p className="small dim">{t('timeline.left_out', { n: data.left_out })}</p>}
      {data.hidden.map((kind) => (
        <p key={kind} className="small dim">
          {t(`timeline.hidden_${kind}`)}
        </p>
      ))}
    </section>
  );
}

function Rows({ marks, asOf }: { marks: readonly Mark[]; asOf: string }) {
  const open = useOpenMark();
  return (
    <table className="plain-table timeline-list">
      <thead>
        <tr>
          <th>{t('timeline.time')}</th>
          <th>{t('timeline.event')}</th>
          <th>{t('timeline.object')}</th>
          <th>{t('outages.length')}</th>
          <th>{t('timeline.details')}</th>
        </tr>
      </thead>
      <tbody>
        {marks.map((mark) => (
          <tr key={markKey(mark)}>
            <td>
              <ShortTime at={mark.at} />
            </td>
            <td>
              <span className="row">
                <MarkSign mark={mark} />
                <Button kind="link" onClick={() => open(mark)}>
                  {t(`timeline.kind_${mark.kind}`)}
                </Button>
              </span>
            </td>
            <td>{objectOf(mark)}</td>
            <td>{lengthOf(mark, asOf)}</td>
            <td>
              <Details mark={mark} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function objectOf({ serial, name, devices }: Mark): string {
  if (serial) return name || mac(serial);
  return devices > 0 ? t('timeline.devices', { n: devices }) : '—';
}

function lengthOf({ at, until }: Mark, asOf: string): string {
  if (until === at) return '—';
  const seconds = (Date.parse(until ?? asOf) - Date.parse(at)) / 1000;
  return until === null ? t('timeline.so_far', { time: duration(seconds) }) : duration(seconds);
}

function Details({ mark: { kind, cause, operator, failed, alarm } }: { mark: Mark }) {
  if (alarm) return alarm.text;
  if (cause) return <OutageCauseText cause={cause} />;
  if (kind === 'console') return <OutageCauseText cause="console" />;
  return (
    <>
      {operator ? t('timeline.by', { name: operatorName(operator) }) : t('timeline.by_itself')}
      {failed > 0 && <div className="small timeline-failed">{t('timeline.failed', { n: failed })}</div>}
    </>
  );
}
