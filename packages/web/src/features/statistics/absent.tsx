import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Link } from '../../ui/link.tsx';
import type { CardId } from './board/layout.ts';
import type { Complex } from './figures.tsx';
import type { StripData } from './strip/figures.ts';

const sourced = ['income', 'intercept', 'flow'] as const satisfies readonly CardId[];
type Sourced = (typeof sourced)[number];

interface Answered<T> {
  data: T | undefined;
  isError: boolean;
}

/** Returns the cards without a source; those of a call until its first answer. */
export function absentCards(strip: Answered<StripData>, sums: Answered<Complex>): ReadonlySet<CardId> {
  const hasNone = <T,>({ data, isError }: Answered<T>, source: (data: T) => string | undefined) =>
    data === undefined ? !isError : source(data) === 'none';
  const absent = {
    income: hasNone(strip, ({ income }) => income?.source),
    intercept: hasNone(sums, (data) => data.intercept_source),
    flow: hasNone(sums, (data) => data.cumulative_flow.source),
  } satisfies Record<Sourced, boolean>;
  return new Set(sourced.filter((id) => absent[id]));
}

/** @param known the calls that have answered, of those that the person may read */
export function AbsentLine({
  absent,
  known,
}: {
  absent: ReadonlySet<CardId>;
  known: { income: boolean; sums: boolean };
}) {
  const mayBind = useMay('network.bind');
  const shown = sourced.filter((id) => absent.has(id) && (id === 'income' ? known.income : known.sums));
  if (shown.length === 0) return null;
  return (
    <section className="absent in-text small dim" aria-labelledby="absent-title">
      <h2 id="absent-title">{t('absent.title')}</h2>
      <ul>
        {shown.map((id) => (
          <li key={id}>
            {t(`absent.${id}`)}{' '}
            {id === 'flow' && mayBind && <Link to="/waiting_devices">{t('source.network_link')}</Link>}
          </li>
        ))}
      </ul>
    </section>
  );
}
