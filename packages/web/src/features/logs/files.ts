import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import type { ListFile } from '../../ui/table/columns.ts';

/** The log as a file that the server writes: all of what is filtered, whatever its length. */
export function logFiles(path: '/api/v3/log/action/export' | '/api/v3/log/auth/export'): ListFile[] {
  return (['csv', 'json'] as const).map((format) => ({
    label: t(`log.export_${format}`),
    address: async (input) => (await call(path, { ...input, format } as never)).url,
  }));
}
