import type { Row } from '../../app/api.ts';

export type Account = Row<'/api/v3/install/account/list'>;
