import type { ReactNode } from 'react';
import { type MessageKey, t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Choice } from '../../ui/choice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Explain, type Metric } from './explain.tsx';

export function usePeriod(name: 'flow' | 'users') {
  const [search, change] = useSearch();
  const day: 30 | 'history' = oneOf(search[name], ['30', 'history']) === 'history' ? 'history' : 30;
  const choice = (
    <Choice
      label={t('home.period')}
      hideLabel
      value={day}
      options={[
        { value: 30 as const, label: t('home.last_days', { n: 30 }) },
        { value: 'history' as const, label: t('home.history') },
      ]}
      onChange={(value) => change({ [name]: value === 30 ? undefined : value })}
    />
  );
  return { day, choice };
}

export function Panel(props: {
  metric: Metric;
  asOf: string;
  shape?: 'wide' | 'tall';
  note?: ReactNode;
  children: ReactNode;
}) {
  const name = t(`metric.${props.metric}` as MessageKey);
  return (
    <section className={props.shape ? `panel panel-${props.shape}` : 'panel'}>
      <div className="about-title">
        <h3>{name}</h3>
        <Explain metric={props.metric} name={name} asOf={props.asOf} />
      </div>
      {props.children}
      {props.note && <p className="small dim panel-note">{props.note}</p>}
    </section>
  );
}

export function Since({ from }: { from: string | null }) {
  return <span className="small dim since">{from ? t('home.since', { from }) : t('home.not_yet')}</span>;
}

export function PanelsComing({ shapes }: { shapes: readonly ('' | 'wide')[] }) {
  return (
    <div className="panels">
      {shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never move
        <div key={index} className={shape ? `panel panel-${shape}` : 'panel'}>
          <Skeleton width="36%" height={18} />
          <Skeleton height={172} />
        </div>
      ))}
    </div>
  );
}
