import { t } from '../../../app/i18n.ts';
import { type Answer, Kept } from '../../../ui/answer.tsx';
import { Sparkline } from '../../../ui/chart/sparkline.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Explain } from '../explain.tsx';
import { Change } from './change.tsx';
import { figuresOf, type StripData, type StripFigure } from './figures.ts';
import './strip.css';

const FIGURES = 7;

/** The account's figures in one row; each opens what it counts. */
export function Strip({ answer }: { answer: Answer<StripData> }) {
  const { data, error, refetch } = answer;
  return (
    <section className="card strip" aria-label={t('strip.title')} aria-busy={(!data && !error) || undefined}>
      {data ? (
        <>
          <ul className="strip-figures">
            {figuresOf(data).map((figure) => (
              <li key={figure.key} data-figure={figure.key}>
                <Figure figure={figure} />
              </li>
            ))}
          </ul>
          <Explain metric="strip" name={t('strip.title')} asOf={data.as_of} />
        </>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <ul className="strip-figures">
          {Array.from({ length: FIGURES }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the figures are all alike
            <li key={place} className="strip-figure">
              <Skeleton width="60%" height={90} />
            </li>
          ))}
        </ul>
      )}
      <Kept answer={answer} />
    </section>
  );
}

function Figure({ figure }: { figure: StripFigure }) {
  const { key, icon, value, of, note, isBad, change, unit, rise } = figure;
  return (
    <Link to={figure.to} search={figure.search ?? {}} className="strip-figure">
      <span className="strip-title">
        <Icon name={icon} size={14} />
        <span className="ellipsis">{t(`strip.${key}`)}</span>
      </span>
      <span className="strip-value ellipsis" title={of ? `${value} ${of}` : value}>
        <strong>{value}</strong> {of && <small>{of}</small>}
      </span>
      <span className="strip-note small">
        <Change value={change} unit={unit} rise={rise} />
        <span className={isBad ? 'strip-bad ellipsis' : 'dim ellipsis'} title={note}>
          {note}
        </span>
      </span>
      <Curve figure={figure} />
    </Link>
  );
}

function Curve({ figure: { key, curve, text, none, color, fromLeast = false } }: { figure: StripFigure }) {
  const known = curve.filter((value) => value !== null);
  if (known.length === 0) return <span className="strip-none small dim ellipsis">{none}</span>;
  const label = t(key === 'income' ? 'strip.curve_days' : 'strip.curve', {
    least: text(Math.min(...known)),
    most: text(Math.max(...known)),
  });
  return (
    <span title={label} className="strip-curve">
      <Sparkline label={label} values={curve} color={color} fit fromLeast={fromLeast} />
    </span>
  );
}
