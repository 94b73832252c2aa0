import { call } from '../../app/client.ts';
import type { ListFile } from '../../ui/table/columns.ts';
import { listFiles } from '../../ui/table/files.ts';

/** The log as a file that the server writes: all of what is filtered, whatever its length. */
export function logFiles(path: '/api/v3/log/action/export' | '/api/v3/log/auth/export'): ListFile[] {
  return listFiles((input) => call(path, input as never));
}
