import type { Data } from '../../app/api.ts';

export type General = Data<'/api/v3/wireless_template/detail'>['general'];
