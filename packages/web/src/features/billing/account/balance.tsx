import { useEffect } from 'react';
import { t } from '../../../app/i18n.ts';
import { keepLastShown, readLastShown } from '../../../app/last-shown.ts';
import { useUser } from '../../../app/shell/current.ts';
import { readToken } from '../../../app/token.ts';
import { useRead } from '../../../app/use-call.ts';
import { Failed } from '../../../ui/empty.tsx';
import { count, money } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { AsOf } from '../../../ui/time.tsx';
import { UsableCoupons } from '../coupons/usable-coupons.tsx';

export function BalanceScreen() {
  const { account_id: accountId } = useUser();
  const { data, error, refetch } = useRead('/api/v3/billing/balance', {});
  useEffect(() => {
    // an answer during sign-out must not be stored
    if (!data || readToken() === null) return;
    const text = (value: number | null) => (value === null ? null : String(value));
    keepLastShown(accountId, { money: data.balance, coupons: text(data.coupons), cards: text(data.cards) });
  }, [accountId, data]);
  const last = readLastShown(accountId);
  const shown = data
    ? { money: data.balance, coupons: data.coupons, cards: data.cards }
    : { money: last.money, coupons: number(last.coupons), cards: number(last.cards) };
  return (
    <Page
      title={t('personal.billing_balance')}
      extra={data && <AsOf at={data.as_of} />}
      actions={
        <Link to="/billing/withdrawals" className="btn">
          {t('personal.billing_withdrawals')}
        </Link>
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <div className="grid">
          <Figure
            title={t('billing.balance')}
            value={shown.money && money(Number(shown.money))}
            known={!!data}
            why={
              data
                ? t('billing.balance_why', {
                    earned: money(Number(data.earned)),
                    recharged: money(Number(data.recharged)),
                  })
                : ''
            }
            more={
              data && Number(data.play_balance) !== 0
                ? t('billing.play_balance', { amount: money(Number(data.play_balance)) })
                : undefined
            }
          />
          <Figure
            title={t('billing.coupons')}
            value={shown.coupons === null ? null : count(shown.coupons)}
            known={!!data}
            why={t('billing.coupons_why')}
          />
          <Figure
            title={t('billing.cards')}
            value={shown.cards === null ? null : count(shown.cards)}
            known={!!data}
            why={t('billing.cards_why')}
          />
          <div className="span-12">
            <UsableCoupons />
          </div>
        </div>
      )}
    </Page>
  );
}

const number = (text: string | null) => (text === null ? null : Number(text));

function Figure(props: {
  title: string;
  value: string | null;
  known: boolean;
  why: string;
  more?: string | undefined;
}) {
  return (
    <div className="span-4">
      <Card title={props.title}>
        {props.value === null && !props.known ? (
          <Skeleton />
        ) : (
          <p className={props.known ? 'figure' : 'figure dim'}>{props.value ?? t('billing.none')}</p>
        )}
        <p className="small dim">{props.why}</p>
        {props.more && <p className="small dim">{props.more}</p>}
      </Card>
    </div>
  );
}
