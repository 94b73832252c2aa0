export const name = '0006-device-networks';

export const up = `
-- narrows a tenant table by the network of the device that its rows are about (column serial): the device's own row
-- security says whether the caller sees it, so a device that moves takes its rows along
create function platform.narrow_by_device(t text) returns void language plpgsql as $$
declare
  visible text := 'account_id = (select platform.account()) and ((select platform.networks()) is null'
    ' or serial in (select d.serial from device d where d.account_id = (select platform.account())))';
begin
  execute format('drop policy tenant on %I', t);
  execute format('create policy tenant on %I to yunxun_app using (%s) with check (%s)', t, visible, visible);
end $$;

select platform.narrow_by_device(t) from unnest(array[
  'config_state', 'config_version', 'device_certificate', 'device_event', 'device_latest', 'device_link',
  'device_override', 'device_password'
]) t;
`;
