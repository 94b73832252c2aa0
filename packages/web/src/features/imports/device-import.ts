import type { Data } from '../../app/api.ts';

export type ImportRow = Data<'/api/v3/device/import/read'>['rows'][number];
export type Outcome = Data<'/api/v3/device/import'>;
