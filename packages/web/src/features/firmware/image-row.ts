import type { Row } from '../../app/api.ts';

export type ImageRow = Row<'/api/v3/firmware/image/list'>;
