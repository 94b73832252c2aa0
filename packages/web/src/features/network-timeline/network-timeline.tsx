import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { AnswerCard } from '../../ui/answer-card.tsx';
import { Button } from '../../ui/button.tsx';
import { Legend } from '../../ui/chart/frame.tsx';
import { Choice } from '../../ui/choice.tsx';
import type { Timeline } from './mark.ts';
import { MarkList } from './mark-list.tsx';
import { legendOf, panelsOf } from './panels.ts';
import { bucketOf, lookBack, TimelineChart } from './timeline-chart.tsx';
import { hoursFor, readZoom, writeZoom, type Zoom, zoomed } from './zoom.ts';
import './timeline.css';

/** Between two reads, milliseconds. */
const refreshMs = 60_000;
const spans = ['24', '168', '720'] as const;
/** Spans as the call takes them. */
const hoursOf = { 24: 24, 168: 168, 720: 720 } as const;

/** Traffic and events on one time axis. */
export function NetworkTimeline({ gwid }: { gwid: string }) {
  const [search, change] = useSearch();
  const span = oneOf(search.span, spans) ?? '24';
  const hours = hoursOf[span];
  const zoom = readZoom(search.zoom);
  const answer = useRead(
    '/api/v3/network/timeline',
    { gwid, hours: hoursFor(zoom, hours, Date.now()) },
    { keepPrevious: true, refetchMs: refreshMs },
  );
  const show = (part: Zoom | null) => change({ zoom: part ? writeZoom(part) : undefined });
  return (
    <AnswerCard
      title={t('timeline.title')}
      answer={answer}
      height={420}
      actions={
        <span className="row">
          <AvailabilityOf gwid={gwid} hours={hours} />
          <Choice
            label={t('timeline.span')}
            hideLabel
            value={span}
            options={spans.map((value) => ({ value, label: t('outages.window', { hours: Number(value) }) }))}
            onChange={(value) => change({ span: value === '24' ? undefined : value, zoom: undefined })}
          />
        </span>
      }
    >
      {(data) => <Content data={zoomed(data, zoom)} zoom={zoom} show={show} />}
    </AnswerCard>
  );
}

/** The connected share of the span. */
function AvailabilityOf({ gwid, hours }: { gwid: string; hours: number }) {
  const { data } = useRead('/api/v3/outage/availability', { gwid }, { refetchMs: refreshMs });
  const window = data?.windows.find((each) => each.hours === hours);
  if (!data || !window) return null;
  const { percent } = window;
  return (
    <span className="small timeline-availability" title={data.since === null ? t('outages.never_network') : undefined}>
      <span className="dim">{t('outages.availability')}</span> <strong>{percent === null ? '—' : `${percent}%`}</strong>
    </span>
  );
}

function Content({ data, zoom, show }: { data: Timeline; zoom: Zoom | null; show: (zoom: Zoom | null) => void }) {
  // the begin of the chosen bucket: an answer that comes later has other places
  const [begin, setBegin] = useState<number | null>(null);
  const { panels, notes } = panelsOf(data);
  const found = data.down.findIndex((_, place) => bucketOf(data, place)[0] === begin);
  const chosen = found < 0 ? null : found;
  return (
    <div className="stack">
      <div>
        <div className="spread">
          <Legend items={legendOf(panels)} />
          {zoom && (
            <Button icon="expand" onClick={() => show(null)}>
              {t('timeline.whole')}
            </Button>
          )}
        </div>
        <TimelineChart
          data={data}
          panels={panels}
          chosen={chosen}
          choose={(place) => setBegin(bucketOf(data, place)[0])}
          zoom={(first, last) => show([bucketOf(data, first)[0], bucketOf(data, last)[1]])}
          unzoom={() => show(null)}
        />
        <p className="small dim">{t('timeline.how')}</p>
        {notes.map((note) => (
          <p key={note} className="small dim">
            {note}
          </p>
        ))}
      </div>
      <MarkList data={data} within={chosen === null ? null : lookBack(data, chosen)} reset={() => setBegin(null)} />
    </div>
  );
}
