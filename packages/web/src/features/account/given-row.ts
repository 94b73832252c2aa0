import type { Row } from '../../app/api.ts';

export type Given = Row<'/api/v3/hosting/list'>;
