import type { Row } from '../../app/api.ts';
import { queryClient } from '../../app/session.ts';

export type RadiusClient = Row<'/api/v3/radius/nas/list'>;

export interface MadeSecret {
  name: string;
  secret: string;
}

export const refreshClients = () => queryClient.invalidateQueries({ queryKey: ['/api/v3/radius/nas/list'] });
