import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { count, money } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatCard } from './stat-card.tsx';
import type { StripData } from './strip/figures.ts';

export type Complex = Data<'/api/v3/user_stat/complex'>;

/** The strip's own answer, so that a card never contradicts it. */
interface Props {
  answer: Answer<StripData>;
}

const asOf = (data: StripData) => data.as_of;

function Figure({
  to,
  search,
  text,
  note,
}: {
  to: string;
  search?: Record<string, string>;
  text: string;
  note: ReactNode;
}) {
  return (
    <>
      <Link to={to} search={search ?? {}} className="figure figure-link">
        {text}
      </Link>
      <p className="small dim">{note}</p>
    </>
  );
}

export function OnlineFigure({ answer }: Props) {
  return (
    <StatCard title={t('card.online')} metric="online" answer={answer} asOf={asOf} height={58} className="figure-card">
      {({ clients }) =>
        clients && (
          <Figure
            to="/networks/online_users"
            text={count(clients.now)}
            note={
              <Link to="/networks/online_users" search={{ tab: 'today' }}>
                {t('home.today_online', { n: count(clients.today) })}
              </Link>
            }
          />
        )
      }
    </StatCard>
  );
}

export function AuthFigure({ answer }: Props) {
  return (
    <StatCard title={t('card.auth')} metric="auth" answer={answer} asOf={asOf} height={58} className="figure-card">
      {({ guests }) =>
        guests && (
          <Figure
            to="/networks/online_users"
            search={{ auth: 'portal' }}
            text={count(guests.now)}
            note={
              <Link to="/networks/online_users" search={{ tab: 'today', auth: 'portal' }}>
                {t('home.today_auth', { n: count(guests.today) })}
              </Link>
            }
          />
        )
      }
    </StatCard>
  );
}

export function IncomeFigure({ answer }: Props) {
  return (
    <StatCard title={t('card.income')} metric="income" answer={answer} asOf={asOf} height={58} className="figure-card">
      {({ income }) =>
        income && <Figure to="/billing/transactions" text={money(Number(income.today))} note={t('home.income_note')} />
      }
    </StatCard>
  );
}

export function InterceptFigure({ answer }: { answer: Answer<Complex> }) {
  return (
    <StatCard
      title={t('card.intercept')}
      metric="intercept"
      answer={answer}
      asOf={(data) => data.as_of}
      height={58}
      className="figure-card"
    >
      {(data) => (
        <Figure to="/cloud_security/index" text={count(data.intercept_number ?? 0)} note={t('home.intercept_note')} />
      )}
    </StatCard>
  );
}
