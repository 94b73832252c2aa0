import type { Data } from './api.ts';

export type User = Data<'/api/v3/user'>;
