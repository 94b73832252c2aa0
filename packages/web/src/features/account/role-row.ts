import type { Row } from '../../app/api.ts';

export type OwnRole = Row<'/api/v3/account/role/list'>;
