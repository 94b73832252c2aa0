export const name = '0158-telemetry-behind';

/** Clients on a port that leads to an own device: the device that is nearest to them, until it reports them. */
export const up = `
-- behind: that device's serial, '' if the port leads to several; behind_port: its port, if it is a switch that knows it
alter table station_open add column behind text, add column behind_port text;
alter table station_session add column behind text, add column behind_port text;

create or replace view equipment_mac with (security_invoker = true) as
  select account_id, serial as mac, serial, coalesce(platform = 'switch', false) as is_switch from device
  union all select account_id, mac, serial, false from device_mac;

drop trigger note_changed on station_open;
create trigger note_changed after update on station_open for each row
  when (old.gwid <> new.gwid or old.band <> new.band or old.authenticated <> new.authenticated
    or old.behind is distinct from new.behind or old.behind_port is distinct from new.behind_port)
  execute function platform.note_station();

-- clients whose place is known: on the air or on a port
alter table station_sum add column placed integer not null default 0;
alter table station_sum alter column placed drop default;
select platform.recount_present();
`;
