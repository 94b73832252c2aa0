import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { download } from '../../ui/table/csv.ts';
import type { ImportRow, Outcome } from './device-import.ts';
import { csvOf, failedCsv, templateCsv } from './files.ts';
import { Results } from './results.tsx';
import { atOnce, TableFileField, useTableFile } from './table-file.tsx';

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [rows, setRows] = useState<readonly ImportRow[] | null>(null);
  const [create, setCreate] = useState(true);
  const [tried, setTried] = useState<Outcome | null>(null);
  const [done, setDone] = useState<Outcome | null>(null);
  const { wrong, busy, working, open } = useTableFile();
  const [progress, setProgress] = useState(0);
  const run = (wanted: readonly ImportRow[], more: { create_networks: boolean; dry?: boolean }) =>
    call('/api/v3/device/import', { rows: [...wanted], ...more });
  const attempt = (wanted: readonly ImportRow[], createNetworks: boolean) =>
    working(async () => {
      setCreate(createNetworks);
      setTried(await run(wanted, { create_networks: createNetworks, dry: true }));
    });
  const choose = (file: File | undefined) => {
    setRows(null);
    setTried(null);
    setDone(null);
    if (!file) return;
    open(
      file,
      (text) => call('/api/v3/device/import/read', { file: text }),
      async (found) => {
        setRows(found);
        setTried(await run(found, { create_networks: create, dry: true }));
      },
    );
  };
  /** Sends short batches, without rows that failed the dry run. */
  const begin = () =>
    working(async () => {
      if (!rows || !tried) return;
      const wanted = new Set(tried.rows.filter(({ result }) => result === 'would').map(({ line }) => line));
      const sent = rows.filter(({ line }) => wanted.has(line));
      const outcomes = new Map(tried.rows.map((one) => [one.line, one]));
      for (let from = 0; from < sent.length; from += atOnce) {
        const part = await run(sent.slice(from, from + atOnce), { create_networks: create });
        for (const one of part.rows) outcomes.set(one.line, one);
        setProgress(Math.min(sent.length, from + atOnce));
      }
      const all = [...outcomes.values()];
      const count = (...results: Outcome['rows'][number]['result'][]) =>
        all.filter(({ result }) => results.includes(result)).length;
      setDone({ rows: all, done: count('done'), same: count('same'), failed: count('failed') });
      void queryClient.invalidateQueries();
    });
  const shown = done ?? tried;
  const failed = shown?.failed ?? 0;
  return (
    <Dialog
      wide
      title={t('imports.title')}
      onClose={onClose}
      foot={
        <>
          {rows && shown && failed > 0 && (
            <Button icon="download" onClick={() => download('failed.csv', failedCsv(rows, shown), csvOf)}>
              {t('imports.failed_rows', { n: failed })}
            </Button>
          )}
          <Button onClick={onClose}>{t(done ? 'action.close' : 'action.cancel')}</Button>
          {!done && (
            <Button kind="primary" busy={busy} disabled={!tried || tried.done === 0} onClick={() => void begin()}>
              {progress > 0
                ? t('imports.running', { n: progress, all: tried?.done ?? 0 })
                : t('imports.run', { n: tried?.done ?? 0 })}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {!done && (
          <>
            <TableFileField hint={t('imports.hint')} wrong={wrong} onChoose={choose} />
            <div className="spread">
              <CheckField
                checked={create}
                onChange={(on) => {
                  if (rows) void attempt(rows, on);
                  else setCreate(on);
                }}
              >
                {t('imports.create')}
              </CheckField>
              <Button kind="link" onClick={() => download('devices.csv', templateCsv(), csvOf)}>
                {t('imports.template')}
              </Button>
            </div>
          </>
        )}
        {rows && shown && <Results rows={rows} outcome={shown} />}
      </div>
    </Dialog>
  );
}
