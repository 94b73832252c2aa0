import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { About as AboutButton, Until } from '../../ui/about.tsx';
import { type Answer, Kept } from '../../ui/answer.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** "Explain this number": what it means, and until when it counts. */
export function About(props: { name: string; what: string; asOf?: string | undefined; children?: ReactNode }) {
  return (
    <AboutButton label={t('radio.about', { name: props.name })}>
      <div className="about">
        <h3>{props.name}</h3>
        <p>{props.what}</p>
        {(props.children || props.asOf) && (
          <dl className="facts">
            {props.children}
            {props.asOf && <Until label={t('radio.as_of')} at={props.asOf} />}
          </dl>
        )}
      </div>
    </AboutButton>
  );
}

interface Props<T> {
  title: string;
  what: string;
  answer: Answer<T>;
  className?: string;
  /** Height of what is coming. */
  height: number;
  children: (data: T) => ReactNode;
}

/** A panel over one call: its skeleton, its content, and its own failure with a retry. What was read before a failure stays and says from when it is. */
export function Panel<T extends { as_of: string }>({ title, what, answer, className, height, children }: Props<T>) {
  const { data, error, refetch, isPlaceholderData } = answer;
  return (
    <section className={className ? `card ${className}` : 'card'}>
      <div className="card-head">
        <div className="about-title">
          <h2>{title}</h2>
          <About name={title} what={what} asOf={data?.as_of} />
        </div>
      </div>
      <div className="card-body">
        {data === undefined && Boolean(error) && <Failed error={error} retry={() => void refetch()} small />}
        {data === undefined && !error && (
          <div aria-busy="true">
            <Skeleton height={height} />
          </div>
        )}
        {data !== undefined && (
          <div
            className="radio-content"
            data-old={isPlaceholderData || undefined}
            aria-busy={isPlaceholderData || undefined}
          >
            {children(data)}
          </div>
        )}
        <Kept answer={answer} />
      </div>
    </section>
  );
}
