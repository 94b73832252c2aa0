import type { ReactNode } from 'react';
import { AnswerCard, type AnswerCardProps } from '../../ui/answer-card.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Explain, type Metric } from './explain.tsx';
import { LineCard } from './line-card.tsx';

interface Props<T> extends AnswerCardProps<T> {
  metric?: Metric;
  asOf?: (data: T) => string | null;
  /** Shows this line instead of the card, unless null. */
  line?: (data: T) => ReactNode;
  lineIcon?: IconName;
}

export function StatCard<T>({ metric, asOf, line, lineIcon, ...card }: Props<T>) {
  const { data } = card.answer;
  const about = metric && <Explain metric={metric} name={card.title} asOf={data === undefined ? null : asOf?.(data)} />;
  const text = data === undefined ? null : (line?.(data) ?? null);
  if (text === null) return <AnswerCard {...card} about={about} />;
  return (
    <LineCard {...card} about={about} icon={lineIcon}>
      {text}
    </LineCard>
  );
}
