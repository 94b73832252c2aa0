import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { useRead } from '../../../app/use-call.ts';
import { Failed } from '../../../ui/empty.tsx';
import { count, money } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { paths, placeName } from './clearing-data.ts';

type Figures = Data<(typeof paths)['overview']>;

const yuan = (text: string) => money(Number(text));

export function Overview() {
  const { data, error, refetch } = useRead(paths.overview, {});
  if (error && !data)
    return (
      <Card title={t('clearing.overview')}>
        <Failed small error={error} retry={() => void refetch()} />
      </Card>
    );
  if (!data)
    return (
      <Card title={t('clearing.overview')}>
        <Skeleton />
      </Card>
    );
  return (
    <>
      {!data.covered && (
        <p className="notice notice-warn" role="status">
          {t('clearing.short', { amount: money(-Number(data.surplus)) })}
        </p>
      )}
      <div className="grid">
        <div className="span-6">
          <ByProvider figures={data} />
        </div>
        <div className="span-6">
          <Coverage figures={data} />
        </div>
      </div>
    </>
  );
}

const moves = ({ receivable, transit, month_fee, movements }: Figures['providers'][number]) =>
  movements > 0 || [receivable, transit, month_fee].some((amount) => Number(amount) !== 0);

function ByProvider({ figures }: { figures: Figures }) {
  const shown = figures.providers.filter(moves);
  return (
    <Card title={t('clearing.by_provider')}>
      {shown.length === 0 && <p className="dim">{t('clearing.none')}</p>}
      {shown.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('clearing.provider')}</th>
              <th className="right">{t('clearing.receivable')}</th>
              <th>{t('clearing.oldest')}</th>
              <th className="right">{t('clearing.transit')}</th>
              <th className="right">{t('clearing.month_fee')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.provider}>
                <td>{paymentName(row.provider)}</td>
                <td className="right">
                  {yuan(row.receivable)}
                  <div className="small dim">{t('clearing.open_movements', { n: count(row.movements) })}</div>
                </td>
                <td>{row.oldest_at === null ? '—' : <ShortTime at={row.oldest_at} />}</td>
                <td className="right">{yuan(row.transit)}</td>
                <td className="right">{yuan(row.month_fee)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Coverage({ figures }: { figures: Figures }) {
  const line = (label: string, amount: string) => (
    <tr key={label}>
      <td>{label}</td>
      <td className="right">{amount}</td>
    </tr>
  );
  const sum = (label: string, amount: string) => (
    <tr key={label}>
      <td>
        <strong>{label}</strong>
      </td>
      <td className="right">
        <strong>{amount}</strong>
      </td>
    </tr>
  );
  return (
    <Card title={t('clearing.coverage')}>
      <table className="plain-table">
        <tbody>
          {line(t('clearing.bank'), yuan(figures.bank))}
          {line(t('clearing.transit'), yuan(figures.transit))}
          {line(t('clearing.receivable'), yuan(figures.receivable))}
          {Number(figures.unassigned) !== 0 && line(t('clearing.less_unassigned'), money(-Number(figures.unassigned)))}
          {sum(t('clearing.held'), yuan(figures.held))}
          {line(t('clearing.earned'), yuan(figures.earned))}
          {line(t('clearing.recharged'), yuan(figures.recharged))}
          {line(t('clearing.frozen'), yuan(figures.frozen))}
          {sum(t('clearing.owed'), yuan(figures.owed))}
          {sum(t(figures.covered ? 'clearing.surplus' : 'clearing.shortfall'), yuan(figures.surplus))}
        </tbody>
      </table>
      <details>
        <summary>{t('clearing.books')}</summary>
        <table className="plain-table">
          <tbody>
            {figures.books.map(({ kind, provider, amount }) =>
              line(
                provider === null
                  ? t(`clearing.book_${kind}`)
                  : t('clearing.book_of', { book: t(`clearing.book_${kind}`), provider: placeName(provider) }),
                yuan(amount),
              ),
            )}
          </tbody>
        </table>
      </details>
    </Card>
  );
}
