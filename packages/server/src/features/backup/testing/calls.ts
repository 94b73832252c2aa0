import { call } from '../../configuration/testing/fixture.ts';

export interface Row {
  id: string;
  type: string;
  cause: string | null;
  note: string;
  pinned: boolean;
  sha256: string;
  size: number;
  created_by: string;
}
export interface Listed<T> {
  list: T[];
  total: number;
}
export const backups = async (gwid: string) =>
  (await call<Listed<Row>>('/api/v3/cloud_backup/list', { gwid, limit: 50 })).data.list;
export const create = (gwids: string[], note = '') =>
  call<{ made: { id: string; gwid: string }[]; empty: number }>('/api/v3/cloud_backup/create', { gwids, note });
export const diff = (id: string, other?: string) =>
  call<{ changes: { path: string; before: unknown; after: unknown }[] }>('/api/v3/cloud_backup/diff', {
    id,
    ...(other && { with: other }),
  });
export const check = (body: object) =>
  call<{
    ok: boolean;
    base: string;
    bands: string[];
    band_map: { from: string; to: string | null }[];
    problems: object[];
    port_map: { from: string; to: string | null }[];
    not_restored: { what: string; params: object }[];
    settings: { changes: { path: string; before: unknown; after: unknown }[] };
    preview: { devices: { serial: string; effect: string }[]; totals: { changed: number } };
    returns_within_s: number | null;
  }>('/api/v3/cloud_backup/restore_check', body);
export const restore = (body: object) => call<{ job_id: string }>('/api/v3/cloud_backup/restore', body);
