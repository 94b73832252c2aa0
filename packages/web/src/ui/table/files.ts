import type { ListFile } from './columns.ts';

/** The formats that a list comes in, by the names that they have in every language. */
export const fileFormats = { csv: 'CSV', xlsx: 'Excel (xlsx)', json: 'JSON' } as const;
export type FileFormat = keyof typeof fileFormats;

/** The files of a list, whatever its length; `open` asks the server for one and gives its address, which works once. */
export function listFiles(
  open: (input: Readonly<Record<string, unknown>> & { format: FileFormat }) => Promise<{ url: string }>,
): ListFile[] {
  return (['csv', 'xlsx', 'json'] as const).map((format) => ({
    label: fileFormats[format],
    address: async (input) => (await open({ ...input, format })).url,
  }));
}
