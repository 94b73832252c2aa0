import { t } from '../../app/i18n.ts';
import { Tag, type Tone } from '../../ui/status.tsx';
import type { ImportRow, Outcome } from './device-import.ts';

const tones: Readonly<Record<Outcome['rows'][number]['result'], Tone>> = {
  would: 'info',
  done: 'ok',
  same: 'none',
  failed: 'bad',
};

const SHOWN = 200;

export function Results({ rows, outcome }: { rows: readonly ImportRow[]; outcome: Outcome }) {
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const failedFirst = outcome.rows.toSorted(
    (a, b) => Number(b.result === 'failed') - Number(a.result === 'failed') || a.line - b.line,
  );
  const tried = outcome.rows.some(({ result }) => result === 'would');
  return (
    <>
      <p role="status">
        {t(tried ? 'imports.sum_would' : 'imports.sum', {
          done: outcome.done,
          same: outcome.same,
          failed: outcome.failed,
        })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <div className="import-rows" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('imports.line')}</th>
              <th scope="col">{t('imports.serial')}</th>
              <th scope="col">{t('imports.result')}</th>
              <th scope="col">{t('imports.what')}</th>
            </tr>
          </thead>
          <tbody>
            {failedFirst.slice(0, SHOWN).map((one) => (
              <tr key={one.line}>
                <td>{one.line}</td>
                <td className="mono">{byLine.get(one.line)?.serial ?? one.serial}</td>
                <td>
                  <Tag tone={tones[one.result]}>{t(`imports.result_${one.result}`)}</Tag>
                </td>
                <td>
                  {one.why ?? ''}
                  {one.acts.map((act) => (
                    <span key={act} className="import-act">
                      {t(`imports.act_${act}`)}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {failedFirst.length > SHOWN && (
        <p className="small dim">{t('imports.more', { n: failedFirst.length - SHOWN })}</p>
      )}
    </>
  );
}
