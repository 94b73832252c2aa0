import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { AnswerCard, type AnswerCardProps } from '../../ui/answer-card.tsx';
import { HelpText, Until } from '../../ui/help-text.tsx';

export function About(props: { name: string; what: string; asOf?: string | undefined; children?: ReactNode }) {
  return (
    <HelpText label={t('radio.about', { name: props.name })}>
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
    </HelpText>
  );
}

interface Props<T> extends AnswerCardProps<T> {
  what: string;
}

export function Panel<T extends { as_of: string }>({ what, ...card }: Props<T>) {
  return <AnswerCard {...card} about={<About name={card.title} what={what} asOf={card.answer.data?.as_of} />} />;
}
