export const name = '0277-tenant-table-plain-calls';

export const up = `
-- policies of new tables hold no sub-query; those of older tables stay as they are
create or replace function platform.tenant_table(t text, gwid_column text default null) returns void language plpgsql as $$
declare
  visible text := 'account_id = platform.account()';
begin
  if gwid_column is not null then
    visible := visible || format(' and (platform.networks() is null or %I = any (platform.networks()))', gwid_column);
  end if;
  execute format('alter table %I enable row level security', t);
  execute format('create policy tenant on %I to yunxun_app using (%s) with check (%s)', t, visible, visible);
  execute format('create policy program on %I to yunxun_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %I to yunxun_app, yunxun_system', t);
end $$;
create or replace function platform.whole_account_only(t text) returns void language plpgsql as $$
begin
  execute format('create policy whole on %I as restrictive to yunxun_app using (platform.networks() is null)', t);
end $$;
`;
