import type { ListFile } from './columns.ts';

export const fileFormats = { csv: 'CSV', xlsx: 'Excel (xlsx)', json: 'JSON' } as const;
export type FileFormat = keyof typeof fileFormats;

export function listFiles(
  open: (input: Readonly<Record<string, unknown>> & { format: FileFormat }) => Promise<{ url: string }>,
): ListFile[] {
  return (['csv', 'xlsx', 'json'] as const).map((format) => ({
    label: fileFormats[format],
    address: async (input) => (await open({ ...input, format })).url,
  }));
}
