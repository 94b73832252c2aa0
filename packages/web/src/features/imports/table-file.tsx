import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { base64Of } from '../../ui/base64-of.ts';
import { FileField } from '../../ui/fields/file-field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import './imports.css';

/** Rows that one call creates. */
export const atOnce = 50;
/** Bytes; the server's limit. */
const maxBytes = 1_000_000;
const offered = '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function useTableFile() {
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const working = async (work: () => Promise<void>) => {
    setBusy(true);
    setWrong(null);
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === 422) setWrong(error.fields.file?.[0] ?? error.message);
      else if (error instanceof ApiError && error.code === 4111) setWrong(t('imports.too_large'));
      else notifyError(error);
    }
    setBusy(false);
  };
  const open = <Row,>(
    file: File,
    read: (file: string) => Promise<{ rows: Row[] }>,
    next: (rows: Row[]) => Promise<void>,
  ) => {
    if (file.size > maxBytes) return setWrong(t('imports.too_large'));
    void working(async () => {
      const { rows } = await read(await base64Of(file));
      if (rows.length === 0) return setWrong(t('imports.empty'));
      await next(rows);
    });
  };
  return { wrong, busy, working, open };
}

interface Props {
  hint: string;
  wrong: string | null;
  onChoose: (file: File | undefined) => void;
}

export function TableFileField({ hint, wrong, onChoose }: Props) {
  return <FileField label={t('imports.file')} error={wrong} hint={hint} accept={offered} onChoose={onChoose} />;
}
