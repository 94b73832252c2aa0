import type { Data } from '../../app/api.ts';

export type Installation = Data<'/api/v3/install/detail'>;
