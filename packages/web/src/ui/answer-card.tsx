import type { ReactNode } from 'react';
import { ApiError } from '../app/api-error.ts';
import { t } from '../app/i18n.ts';
import { type Answer, Kept } from './answer.tsx';
import { Button } from './button.tsx';
import { Failed } from './empty.tsx';
import { Icon } from './icon.tsx';
import { Skeleton } from './skeleton.tsx';

export interface AnswerCardProps<T> {
  title: string;
  answer: Answer<T>;
  actions?: ReactNode;
  className?: string | undefined;
  height?: number;
  /** If one block of `height` is not enough. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows one call. After a failed refetch it keeps the data and shows its age. */
export function AnswerCard<T>(props: AnswerCardProps<T> & { about?: ReactNode }) {
  const { title, answer, about, actions, className, height = 96, skeleton, children } = props;
  return (
    <section className={className ? `card answer-card ${className}` : 'card answer-card'}>
      <div className="card-head">
        <div className="about-title">
          <h2>{title}</h2>
          {about}
        </div>
        {actions}
      </div>
      <div className="card-body">
        <Content answer={answer} height={height} skeleton={skeleton}>
          {children}
        </Content>
        <Kept answer={answer} />
      </div>
    </section>
  );
}

function Content<T>(props: {
  answer: Answer<T>;
  height: number;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch, isPlaceholderData } = props.answer;
  if (data === undefined && error) {
    const retry = () => void refetch();
    return props.height < SMALL ? <Brief error={error} retry={retry} /> : <Failed error={error} retry={retry} small />;
  }
  if (data === undefined) {
    return <div aria-busy="true">{props.skeleton ?? <Skeleton height={props.height} />}</div>;
  }
  return (
    <div
      className="answer-content"
      data-old={isPlaceholderData || undefined}
      aria-busy={isPlaceholderData || undefined}
    >
      {props.children(data)}
    </div>
  );
}

/** Pixels below which an error takes two lines. */
const SMALL = 80;

function Brief({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="answer-brief small">
      <p className="answer-brief-title">
        <Icon name="alert" size={14} />
        <span>{t('empty.failed')}</span>
        <Button kind="link" onClick={retry}>
          {t('action.retry')}
        </Button>
      </p>
      <p className="dim">{error instanceof ApiError ? error.message : t('error.request')}</p>
    </div>
  );
}
