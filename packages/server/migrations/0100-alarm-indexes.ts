export const name = '0100-alarm-indexes';

export const up = `
-- the latest upgrade of a device, which the alarms read every minute
create index upgrade_log_upgrades on upgrade_log (account_id, serial, at desc) where action = 'upgrade';
-- what devices of a network started by themselves, for its timeline
create index upgrade_log_own on upgrade_log (account_id, gwid, at desc) where job_id is null;
`;
