import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Link } from '../../ui/link.tsx';
import type { CardId } from './board/layout.ts';
import type { Complex } from './figures.tsx';

const sourced = ['income', 'intercept', 'flow'] as const satisfies readonly CardId[];
type Sourced = (typeof sourced)[number];

/** Returns the cards without a source; all of them until the first answer. */
export function absentCards(sums: Complex | undefined, failed: boolean): ReadonlySet<CardId> {
  if (!sums) return new Set(failed ? [] : sourced);
  const source = {
    income: sums.income_source,
    intercept: sums.intercept_source,
    flow: sums.cumulative_flow.source,
  } satisfies Record<Sourced, string>;
  return new Set(sourced.filter((id) => source[id] === 'none'));
}

export function AbsentLine({ absent }: { absent: ReadonlySet<CardId> }) {
  const mayBind = useMay('network.bind');
  const shown = sourced.filter((id) => absent.has(id));
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
