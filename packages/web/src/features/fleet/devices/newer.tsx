import { t } from '../../../app/i18n.ts';

interface Known {
  newer_version?: string | null;
}

export function NewerMark({ row }: { row: Known }) {
  if (!row.newer_version) return null;
  const text = t('fleet.newer', { version: row.newer_version });
  return (
    <span className="newer-mark" title={text}>
      <span aria-hidden="true">↑</span>
      <span className="sr">{text}</span>
    </span>
  );
}

export function VersionText({ row }: { row: Known & { version: string | null } }) {
  return (
    <>
      {row.version ?? '—'}
      {row.newer_version && <div className="small quiet">{t('fleet.newer', { version: row.newer_version })}</div>}
    </>
  );
}
