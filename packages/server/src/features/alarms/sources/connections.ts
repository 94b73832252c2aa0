import type { OfflineKind } from '../problem-periods.ts';
import type { AlarmSource } from '../source.ts';

export const connections: AlarmSource<OfflineKind> = {
  kinds: {
    network_offline: 'connections',
    gateway_offline: 'connections',
    uplink_lost: 'connections',
    switch_offline: 'connections',
    ap_offline: 'connections',
  },
  read: null,
};
