import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { SelectField } from '../../ui/field.tsx';
import { listed } from '../../ui/refusal.ts';

interface Matrix {
  keys: readonly string[];
  rows: readonly string[];
}

/** Nodes up to which the whole matrix is shown; more are asked node by node. */
const maxWhole = 30;

/** Rows are the sources. */
export function ReachMatrix(props: { matrix: Matrix; nameOf: (key: string) => string }) {
  const { matrix, nameOf } = props;
  if (matrix.keys.length > maxWhole) return <OneRow {...props} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll by keyboard too
    <section className="sdwan-wide" tabIndex={0} aria-label={t('sdwan.matrix')}>
      <table className="plain-table sdwan-matrix">
        <caption className="sr">{t('sdwan.matrix')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('sdwan.matrix_from')}</th>
            {matrix.keys.map((key) => (
              <th key={key} scope="col">
                {nameOf(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.keys.map((from, row) => (
            <tr key={from}>
              <th scope="row">{nameOf(from)}</th>
              {matrix.keys.map((to, column) => (
                <td key={to}>{row === column ? '—' : <Reach ok={matrix.rows[row]?.[column] === '1'} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Reach({ ok }: { ok: boolean }) {
  return (
    <span className={ok ? 'sdwan-yes' : 'sdwan-no'}>
      <span aria-hidden="true">{ok ? '✓' : '✕'}</span>
      <span className="sr">{t(ok ? 'sdwan.reaches' : 'sdwan.reaches_not')}</span>
    </span>
  );
}

function OneRow({ matrix: { keys, rows }, nameOf }: { matrix: Matrix; nameOf: (key: string) => string }) {
  const [from, setFrom] = useState(keys[0]!);
  const row = rows[Math.max(0, keys.indexOf(from))] ?? '';
  const others = keys.filter((key) => key !== from);
  const reached = others.filter((key) => row[keys.indexOf(key)] === '1');
  const missed = others.filter((key) => row[keys.indexOf(key)] !== '1');
  return (
    <div className="stack">
      <SelectField
        label={t('sdwan.matrix_from')}
        value={from}
        options={keys.map((key) => ({ value: key, label: nameOf(key) }))}
        onChange={setFrom}
      />
      <p>{t('sdwan.reaches_n', { n: reached.length, all: others.length })}</p>
      {missed.length > 0 && missed.length < others.length && (
        <p className="small quiet">{t('sdwan.misses', { names: listed(missed.slice(0, 50).map(nameOf)) })}</p>
      )}
    </div>
  );
}
