import type { Row } from '../../app/api.ts';

/** What this account hosts to another. */
export type Given = Row<'/api/v3/hosting/list'>;
