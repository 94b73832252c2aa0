import type { Row } from '../../../app/api.ts';

export type WaitingRow = Row<'/api/v3/device/waiting/list'>;
