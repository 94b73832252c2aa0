import type { Row } from '../../app/api.ts';

export type Member = Row<'/api/v3/account/member/list'>;
