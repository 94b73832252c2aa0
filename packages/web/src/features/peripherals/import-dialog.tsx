import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { base64Of } from '../../ui/base64-of.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import {
  errorsAt,
  headOf,
  type ImportRow,
  importColumns,
  type RowErrors,
  saveTemplate,
  saveWrongRows,
} from './import-file.ts';
import { refreshPeripherals } from './peripheral.ts';
import './peripherals.css';

/** Bytes; the server's limit. */
const maxBytes = 5 * 1024 * 1024;
const offered = '.xlsx,.xls';

interface Props {
  /** Network of rows that name none. */
  gwid: string | undefined;
  onClose: () => void;
}

export function PeripheralImport({ gwid, onClose }: Props) {
  const [rows, setRows] = useState<readonly ImportRow[] | null>(null);
  const [errors, setErrors] = useState<RowErrors>({});
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const working = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setWrong(null);
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === 4111) setWrong(t('peripherals.import_too_large'));
      else if (!(error instanceof ApiError) || error.code !== 422) notifyError(error);
      else if (error.fields.file) setWrong(error.fields.file[0] ?? error.message);
      else setErrors(error.fields);
    }
    setBusy(false);
  };
  const run = (all: readonly ImportRow[], dry: boolean) =>
    call('/api/v3/peripheral/import', { rows: [...all], dry, ...(gwid ? { gwid } : {}) });
  const choose = (file: File | undefined) => {
    setRows(null);
    setErrors({});
    if (!file) return;
    if (file.size > maxBytes) return setWrong(t('peripherals.import_too_large'));
    void working(async () => {
      const read = await call('/api/v3/peripheral/import/read', { file: await base64Of(file) });
      if (read.rows.length === 0) return setWrong(t('peripherals.import_empty'));
      setRows(read.rows);
      await run(read.rows, true);
    });
  };
  const add = (all: readonly ImportRow[]) =>
    working(async () => {
      const { created } = await run(all, false);
      notify('ok', t('peripherals.added', { n: created }));
      onClose();
      await refreshPeripherals();
    });
  const wrongLines = new Set(Object.keys(errors).map((path) => path.split('.')[1])).size;
  return (
    <Dialog
      wide
      title={t('peripherals.import_title')}
      onClose={onClose}
      foot={
        <>
          {rows && wrongLines > 0 && (
            <Button icon="download" onClick={() => void saveWrongRows(rows, errors).catch(notifyError)}>
              {t('peripherals.wrong_rows', { n: wrongLines })}
            </Button>
          )}
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={!rows || wrongLines > 0} onClick={() => rows && void add(rows)}>
            {t('peripherals.import_run', { n: rows?.length ?? 0 })}
          </Button>
        </>
      }
    >
      <div className="stack">
        <FileField
          label={t('peripherals.import_file')}
          error={wrong}
          hint={t('peripherals.import_hint')}
          accept={offered}
          onChoose={choose}
        />
        <div>
          <Button kind="link" onClick={() => void saveTemplate().catch(notifyError)}>
            {t('peripherals.import_template')}
          </Button>
        </div>
        {rows && !busy && (
          <p role="status">
            {wrongLines > 0
              ? t('peripherals.import_wrong', { n: wrongLines, all: rows.length })
              : t('peripherals.import_ready', { n: rows.length })}
          </p>
        )}
        {rows && <Preview rows={rows} errors={errors} />}
      </div>
    </Dialog>
  );
}

function Preview({ rows, errors }: { rows: readonly ImportRow[]; errors: RowErrors }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
    <div className="peripheral-rows" tabIndex={0}>
      <table className="table" aria-label={t('peripherals.preview')}>
        <thead>
          <tr>
            <th scope="col">{t('peripherals.line')}</th>
            {importColumns.map((column) => (
              <th key={column} scope="col">
                {headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              {importColumns.map((column) => {
                const error = errorsAt(errors, index, column);
                return (
                  <td key={column}>
                    {row[column] || (error ? null : '—')}
                    {error && <div className="field-error">{error}</div>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
