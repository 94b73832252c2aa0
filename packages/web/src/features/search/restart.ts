import { call } from '../../app/client.ts';

export { rebootDevices } from '../fleet/device-acts.ts';
export { rebootNetworks } from '../fleet/network-acts.tsx';

/** A network as its list shows it now. */
export const findNetwork = async (gwid: string) =>
  (await call('/api/v3/network/list', { gwids: [gwid], limit: 10 })).list[0];

/** A device as it is now. */
export const findDevice = (serial: string) => call('/api/v3/ap/detail', { serial });
