import { call } from '../../app/client.ts';

export { rebootDevices, rebootNetworks } from '../fleet/index.ts';

export const findNetwork = async (gwid: string) =>
  (await call('/api/v3/network/list', { gwids: [gwid], limit: 10 })).list[0];

export const findDevice = (serial: string) => call('/api/v3/ap/detail', { serial });
