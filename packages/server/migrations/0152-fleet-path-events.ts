export const name = '0152-fleet-path-events';

/** The page of an SD-WAN network reads the newest path changes of its gateways, which send many other events. */
export const up = `
create index device_event_path on device_event (account_id, serial, at) where type = 'sdwan.path';
`;
