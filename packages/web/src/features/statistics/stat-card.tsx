import { AnswerCard, type AnswerCardProps } from '../../ui/answer-card.tsx';
import { Explain, type Metric } from './explain.tsx';

interface Props<T> extends AnswerCardProps<T> {
  metric?: Metric;
  asOf?: (data: T) => string | null;
}

export function StatCard<T>({ metric, asOf, ...card }: Props<T>) {
  const { data } = card.answer;
  return (
    <AnswerCard
      {...card}
      about={metric && <Explain metric={metric} name={card.title} asOf={data === undefined ? null : asOf?.(data)} />}
    />
  );
}
