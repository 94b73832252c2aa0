import { call } from '../../app/client.ts';
import type { ListFile } from '../../ui/table/columns.ts';
import { listFiles } from '../../ui/table/files.ts';

export function logFiles(path: '/api/v3/log/action/export' | '/api/v3/log/auth/export'): ListFile[] {
  return listFiles((input) => call(path, input as never));
}
