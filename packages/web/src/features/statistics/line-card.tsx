import type { ReactNode } from 'react';
import { type Answer, Kept } from '../../ui/answer.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';

interface Props {
  title: string;
  about?: ReactNode;
  answer: Answer<unknown>;
  actions?: ReactNode;
  /** A check where all is well. */
  icon?: IconName | undefined;
  children: ReactNode;
}

/** A card of one line: all is well, or why there is nothing. */
export function LineCard({ title, about, answer, actions, icon = 'info', children }: Props) {
  return (
    <section className="card line-card">
      <div className="line-card-row">
        <span className={icon === 'check' ? 'sign sign-ok' : 'sign dim'}>
          <Icon name={icon} size={16} />
        </span>
        <div className="about-title">
          <h2>{title}</h2>
          {about}
        </div>
        <div className="line-card-text">{children}</div>
        {actions}
      </div>
      <Kept answer={answer} />
    </section>
  );
}
