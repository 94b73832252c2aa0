import { t } from '../../app/i18n.ts';
import { preferences } from '../../app/preferences.ts';
import { booksZone, exactTime } from '../../ui/format.ts';
import type { FileColumn } from '../../ui/table/columns.ts';

/** A column of files, in the account's zone: `2026-11-01 08:05:30`. */
export function booksTimeColumn<R>(title: string, at: (row: R) => string | null): FileColumn<R> {
  return {
    title: t('billing.file_time', { title, zone: preferences().booksZone ?? '' }),
    text: (row) => {
      const time = at(row);
      return time === null ? null : exactTime(new Date(time), booksZone());
    },
  };
}
