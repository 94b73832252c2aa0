import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { About as AboutButton, Until } from '../../ui/about.tsx';
import { AnswerCard, type AnswerCardProps } from '../../ui/answer-card.tsx';

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

interface Props<T> extends AnswerCardProps<T> {
  what: string;
}

/** A panel of the wireless monitor: a card over one call that says what its numbers mean and until when they count. */
export function Panel<T extends { as_of: string }>({ what, ...card }: Props<T>) {
  return <AnswerCard {...card} about={<About name={card.title} what={what} asOf={card.answer.data?.as_of} />} />;
}
