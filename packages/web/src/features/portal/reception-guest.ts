import type { Row } from '../../app/api.ts';
import { queryClient } from '../../app/session.ts';

type Listed = Row<'/api/v3/portal/reception/guest/list'>;

export type ActedGuest = Pick<Listed, 'id' | 'mac' | 'identity' | 'expires_at' | 'extend_hindrance' | 'signs_out'>;

const lists = ['/api/v3/portal/reception/guest/list', '/api/v3/portal/guest/list'] as const;

export const refreshGuests = () =>
  Promise.all(lists.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));

export const nameOf = ({ identity, mac }: ActedGuest): string => identity ?? mac ?? '';
