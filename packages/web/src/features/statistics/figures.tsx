import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { count, money } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatCard } from './stat-card.tsx';

export type Complex = Data<'/api/v3/user_stat/complex'>;
interface Props {
  answer: Answer<Complex>;
}

const asOf = (data: Complex) => data.as_of;

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
    <StatCard title={t('card.online')} metric="online" answer={answer} asOf={asOf} height={58}>
      {(data) => (
        <Figure
          to="/networks/online_users"
          text={count(data.current_online)}
          note={
            <Link to="/networks/online_users" search={{ tab: 'today' }}>
              {t('home.today_online', { n: count(data.today_online_amount) })}
            </Link>
          }
        />
      )}
    </StatCard>
  );
}

export function AuthFigure({ answer }: Props) {
  return (
    <StatCard title={t('card.auth')} metric="auth" answer={answer} asOf={asOf} height={58}>
      {(data) => (
        <Figure
          to="/networks/online_users"
          search={{ auth: 'portal' }}
          text={count(data.current_auth)}
          note={
            <Link to="/networks/online_users" search={{ tab: 'today', auth: 'portal' }}>
              {t('home.today_auth', { n: count(data.today_auth_amount) })}
            </Link>
          }
        />
      )}
    </StatCard>
  );
}

export function IncomeFigure({ answer }: Props) {
  return (
    <StatCard title={t('card.income')} metric="income" answer={answer} asOf={asOf} height={58}>
      {(data) => <Figure to="/billing/transactions" text={money(Number(data.income))} note={t('home.income_note')} />}
    </StatCard>
  );
}

export function InterceptFigure({ answer }: Props) {
  return (
    <StatCard title={t('card.intercept')} metric="intercept" answer={answer} asOf={asOf} height={58}>
      {(data) => (
        <Figure to="/cloud_security/index" text={count(data.intercept_number ?? 0)} note={t('home.intercept_note')} />
      )}
    </StatCard>
  );
}
