import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Failed } from '../../../ui/empty.tsx';
import { date, duration, exactTime, shortTime } from '../../../ui/format.ts';
import { Loading } from '../../../ui/skeleton.tsx';
import './outages.css';

type Answer = Data<'/api/v3/outage/availability'>;

const refreshMs = 60_000;

export function Availability(of: { serial: string } | { gwid: string }) {
  const { data, error, refetch } = useRead('/api/v3/outage/availability', of, { refetchMs: refreshMs });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <section>
      <h3 className="section-title">{t('outages.availability')}</h3>
      <Loading until={data !== undefined} lines={3}>
        {data &&
          (data.since === null ? (
            <p className="small dim">{t('gwid' in of ? 'outages.never_network' : 'outages.never')}</p>
          ) : (
            <>
              <div className="availability">
                {data.windows.map((window) => (
                  <Figure key={window.hours} window={window} />
                ))}
              </div>
              <TimeLine data={data} />
              <p className="small dim">{t('outages.since', { time: exactTime(new Date(data.since)) })}</p>
              {'gwid' in of && <p className="small dim">{t('outages.network_rule')}</p>}
            </>
          ))}
      </Loading>
    </section>
  );
}

function Figure({ window }: { window: Answer['windows'][number] }) {
  const { hours, percent, outages, out_s, planned_s, measured_s } = window;
  return (
    <div>
      <div className="small dim">{t('outages.window', { hours })}</div>
      <div className="availability-figure">{percent === null ? '—' : `${percent}%`}</div>
      <div className="small quiet">
        {outages === 0 ? t('outages.none_out') : t('outages.out', { n: outages, time: duration(out_s) })}
        {planned_s > 0 && ` · ${t('outages.planned', { time: duration(planned_s) })}`}
      </div>
      <div className="small dim">{t('outages.measured', { time: duration(measured_s) })}</div>
    </div>
  );
}

/** Timeline of 30 days: red is an outage, grey is not measured. */
function TimeLine({ data }: { data: Answer }) {
  const to = Date.parse(data.as_of);
  const length = Math.max(...data.windows.map(({ hours }) => hours)) * 3_600_000;
  const from = to - length;
  const place = (span: Answer['out'][number]) => {
    const begin = Math.max(from, Date.parse(span.from));
    return { left: `${((begin - from) / length) * 100}%`, width: `${((Date.parse(span.to) - begin) / length) * 100}%` };
  };
  const spans = [
    ...(data.since && Date.parse(data.since) > from
      ? [{ kind: 'before', from: new Date(from).toISOString(), to: data.since }]
      : []),
    ...data.console.map((span) => ({ kind: 'console', ...span })),
    ...data.out.map((span) => ({ kind: 'out', ...span })),
  ];
  const name = (span: (typeof spans)[number]) => {
    const times = { from: shortTime(new Date(span.from)), to: shortTime(new Date(span.to)) };
    if (span.kind === 'out') return t('outages.span_out', times);
    return span.kind === 'console'
      ? t('outages.span_console', times)
      : t('outages.since', { time: exactTime(new Date(span.to)) });
  };
  return (
    <figure className="outage-strip">
      <div role="img" aria-label={t('outages.timeline')}>
        {spans.map((span) => (
          <i key={span.kind + span.from} data-kind={span.kind} style={place(span)} title={name(span)} />
        ))}
      </div>
      <figcaption className="spread small dim">
        <span>{date(new Date(from))}</span>
        <span>{t('outages.timeline')}</span>
        <span>{date(new Date(to))}</span>
      </figcaption>
    </figure>
  );
}
