import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tag, type Tone } from '../../ui/status.tsx';
import { download, toCsv } from '../../ui/table/csv.ts';
import { atOnce, csvOf, TableFileField, useTableFile } from '../imports/index.ts';

type MemberRow = Data<'/api/v3/portal/member/import/read'>['rows'][number];
type Result = Data<'/api/v3/portal/member/import'>['rows'][number];

const tones: Readonly<Record<Result['result'], Tone>> = { would: 'info', done: 'ok', same: 'none', failed: 'bad' };

function templateCsv(): string {
  const columns = (['name', 'password', 'devices', 'until', 'real_name', 'id_card'] as const).map((key) => {
    const text = (row: Omit<MemberRow, 'line'>) => row[key];
    return { key, title: t(`site_portal.import_${key}`), text, cell: text };
  });
  const example = { name: t('site_portal.import_example'), password: 'open4guests', devices: '2', until: '2027-12-31' };
  const whole = { ...example, real_name: '', id_card: '' };
  return toCsv(columns, [whole]);
}

export function MemberImport({ gwid, onClose, onDone }: { gwid: string; onClose: () => void; onDone: () => void }) {
  const [rows, setRows] = useState<readonly MemberRow[]>([]);
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const [finished, setFinished] = useState(false);
  const { wrong, busy, working, open } = useTableFile();
  /** Sends short batches and shows each as it is done. */
  const run = async (wanted: readonly MemberRow[], dry: boolean, known: readonly Result[]) => {
    const byLine = new Map(known.map((one) => [one.line, one]));
    for (let from = 0; from < wanted.length; from += atOnce) {
      const part = wanted.slice(from, from + atOnce);
      const answer = await call('/api/v3/portal/member/import', { gwid, rows: part, dry });
      for (const one of answer.rows) byLine.set(one.line, one);
      setResults([...byLine.values()]);
    }
  };
  const choose = (file: File | undefined) => {
    setResults(null);
    if (!file) return;
    open(
      file,
      (text) => call('/api/v3/portal/member/import/read', { file: text }),
      async (found) => {
        setRows(found);
        await run(found, true, []);
      },
    );
  };
  const count = (result: Result['result']) => (results ?? []).filter((one) => one.result === result).length;
  const begin = () =>
    working(async () => {
      const wanted = new Set((results ?? []).filter(({ result }) => result === 'would').map(({ line }) => line));
      await run(
        rows.filter(({ line }) => wanted.has(line)),
        false,
        results ?? [],
      );
      setFinished(true);
      onDone();
    });
  const sums = { same: count('same'), failed: count('failed') };
  return (
    <Dialog
      wide
      title={t('site_portal.import_title')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t(finished ? 'action.close' : 'action.cancel')}</Button>
          {!finished && (
            <Button kind="primary" busy={busy} disabled={count('would') === 0} onClick={() => void begin()}>
              {t('imports.run', { n: count('would') })}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {!finished && (
          <>
            <TableFileField hint={t('site_portal.import_hint')} wrong={wrong} onChoose={choose} />
            <Button kind="link" onClick={() => download('accounts.csv', templateCsv(), csvOf)}>
              {t('imports.template')}
            </Button>
          </>
        )}
        {results && (
          <>
            <p role="status">
              {finished
                ? t('imports.sum', { done: count('done'), ...sums })
                : t('imports.sum_would', { done: count('would'), ...sums })}
            </p>
            <ResultTable results={results} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function ResultTable({ results }: { results: readonly Result[] }) {
  const failedFirst = results.toSorted(
    (a, b) => Number(b.result === 'failed') - Number(a.result === 'failed') || a.line - b.line,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
    <div className="import-rows" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('imports.line')}</th>
            <th scope="col">{t('site_portal.member_name')}</th>
            <th scope="col">{t('imports.result')}</th>
            <th scope="col">{t('imports.why')}</th>
          </tr>
        </thead>
        <tbody>
          {failedFirst.map(({ line, name, result, why }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>{name}</td>
              <td>
                <Tag tone={tones[result]}>{t(`imports.result_${result}`)}</Tag>
              </td>
              <td>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
