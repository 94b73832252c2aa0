export const name = '0098-search-sources';

/** No network: members limited to some do not see what waits. */
const nowhere = '00000000-0000-0000-0000-000000000000';

/** Of the migrating role: writers of the table may not write search entries. */
const trigger = (name: string, body: string) => `
create function platform.${name}() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
begin
  ${body}
  return null;
end $$;`;

/** Keeps the search entries of networks, devices, clients, what operators say of clients, and the SSIDs of networks. */
export const up = `
create function platform.search_network(n network, only_missing boolean default false) returns void language sql as $$
  select platform.put_search_entry(
    n.account_id, 'network', n.gwid::text, n.gwid, array[n.remark, n.gwid::text] || n.tags, only_missing)
$$;
${trigger('note_search_network', 'perform platform.search_network(new);')}
create trigger note_search after insert on network for each row execute function platform.note_search_network();
create trigger note_search_change after update on network for each row
  when ((old.remark, old.tags) is distinct from (new.remark, new.tags)) execute function platform.note_search_network();
${trigger('forget_search_network', "delete from search_entry where account_id = old.account_id and kind = 'network' and id = old.gwid::text;")}
create trigger forget_search after delete on network for each row execute function platform.forget_search_network();

-- a device by name, serial (its first MAC), further MACs, model and address
create function platform.search_device(account uuid, wanted text, only_missing boolean default false) returns void language sql as $$
  select platform.put_search_entry(d.account_id, 'device', d.serial, coalesce(d.gwid, '${nowhere}'),
    array[d.remark, d.serial, coalesce(d.model, ''), coalesce(d.public_address, '')] || array(
      select m.mac from device_mac m where m.account_id = d.account_id and m.serial = d.serial and m.mac <> d.serial order by m.mac), only_missing)
  from device d where d.account_id = account and d.serial = wanted
$$;
${trigger('note_search_device', 'perform platform.search_device(new.account_id, new.serial);')}
create trigger note_search after insert on device for each row execute function platform.note_search_device();
create trigger note_search_change after update on device for each row
  when ((old.remark, old.model, old.public_address, old.gwid) is distinct from (new.remark, new.model, new.public_address, new.gwid))
  execute function platform.note_search_device();
create trigger note_search after insert on device_mac for each row execute function platform.note_search_device();
${trigger('forget_search_mac', 'perform platform.search_device(old.account_id, old.serial);')}
create trigger forget_search after delete on device_mac for each row execute function platform.forget_search_mac();
${trigger('forget_search_device', "delete from search_entry where account_id = old.account_id and kind = 'device' and id = old.serial;")}
create trigger forget_search after delete on device for each row execute function platform.forget_search_device();
-- addresses of a range, by bytes; comparing is allowed under row security
create index device_address_bytes on device (account_id, public_address collate "C") where public_address is not null;

-- a client by MAC and host name; reports insert many at once, and change a name hardly ever
create function platform.search_client_words(mac text, hostname text) returns text language sql immutable as $$
  select E'\\n' || mac || E'\\n' || coalesce(nullif(translate(hostname, E'\\n\\r', ''), '') || E'\\n', '')
$$;
create function platform.search_client_initials(hostname text) returns text language sql immutable as $$
  select case when hostname is null or octet_length(hostname) = length(hostname) then '' end
$$;
${trigger(
  'note_search_clients',
  `insert into search_entry as e (account_id, kind, id, words, initials)
  select account_id, 'client', mac, platform.search_client_words(mac, hostname), platform.search_client_initials(hostname)
  from told
  on conflict (account_id, kind, id) do update set words = excluded.words, initials = excluded.initials
  where e.words <> excluded.words;`,
)}
create trigger note_search after insert on station
  referencing new table as told for each statement execute function platform.note_search_clients();
${trigger(
  'note_search_client',
  `insert into search_entry (account_id, kind, id, words, initials) values (new.account_id, 'client', new.mac,
    platform.search_client_words(new.mac, new.hostname), platform.search_client_initials(new.hostname))
  on conflict (account_id, kind, id) do update set words = excluded.words, initials = excluded.initials;`,
)}
create trigger note_search_change after update on station for each row
  when (old.hostname is distinct from new.hostname) execute function platform.note_search_client();
${trigger(
  'forget_search_clients',
  `delete from search_entry e using told where e.account_id = told.account_id and e.kind = 'client' and e.id = told.mac;`,
)}
create trigger forget_search after delete on station
  referencing old table as told for each statement execute function platform.forget_search_clients();
-- where clients are now, by address and by portal account
create index station_open_ip on station_open (account_id, ip collate "C") where ip is not null;
create index station_open_username on station_open (account_id, username collate "C") where username is not null;

-- what the operator calls a client
${trigger(
  'note_search_mark',
  `if new.remark = '' then
    delete from search_entry where account_id = new.account_id and kind = 'client_remark' and id = new.mac;
  else
    perform platform.put_search_entry(new.account_id, 'client_remark', new.mac, null, array[new.remark]);
  end if;`,
)}
create trigger note_search after insert or update on station_mark for each row execute function platform.note_search_mark();
${trigger('forget_search_mark', "delete from search_entry where account_id = old.account_id and kind = 'client_remark' and id = old.mac;")}
create trigger forget_search after delete on station_mark for each row execute function platform.forget_search_mark();

-- the SSIDs of a network's own settings; templates are few, and read whole
create function platform.search_ssids(w wireless_intent, only_missing boolean default false) returns void language sql as $$
  select platform.put_search_entry(w.account_id, 'ssid', w.gwid::text, w.gwid, array(
    select s ->> 'name' from jsonb_array_elements(
      case jsonb_typeof(w.intent -> 'ssids') when 'array' then w.intent -> 'ssids' else '[]' end) s where s ? 'name'), only_missing)
$$;
${trigger('note_search_ssids', 'perform platform.search_ssids(new);')}
create trigger note_search after insert or update on wireless_intent for each row execute function platform.note_search_ssids();
${trigger('forget_search_ssids', "delete from search_entry where account_id = old.account_id and kind = 'ssid' and id = old.gwid::text;")}
create trigger forget_search after delete on wireless_intent for each row execute function platform.forget_search_ssids();

revoke execute on function platform.search_network(network, boolean), platform.search_device(uuid, text, boolean),
  platform.search_ssids(wireless_intent, boolean) from public;

-- a pending list would be read by every search, so there is none
create index search_entry_grams on search_entry
  using gin (platform.search_grams(account_id, kind, lower(words || coalesce(initials, '')))) with (fastupdate = off);

-- kinds whose older objects have no entries yet, with the key of the last one that was filled in. A task fills them in
-- batches: here it would hold the locks of the triggers for minutes, and reports would wait
create table platform.search_fill (
  kind text primary key,
  account_id uuid not null default '${nowhere}',
  id text not null default ''
);
insert into platform.search_fill (kind)
  select 'network' where exists (select from network) union all
  select 'device' where exists (select from device) union all
  select 'client' where exists (select from station) union all
  select 'client_remark' where exists (select from station_mark) union all
  select 'ssid' where exists (select from wireless_intent);
grant select, insert, update, delete on platform.search_fill to yunxun_system;

-- fills in the next batch of one kind; false if there is none, or another process fills. Objects are locked: deleted
-- meanwhile, they would leave an entry. Entries that triggers wrote meanwhile are newer, and stay
create function platform.fill_search_entries(most integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, platform as $$
declare
  f platform.search_fill;
  n network;
  d device;
  w wireless_intent;
  m station_mark;
  taken integer := 0;
begin
  select * into f from platform.search_fill order by kind desc limit 1 for update skip locked;
  if not found then return false; end if;
  case f.kind
  when 'network' then
    for n in select * from network where (account_id, gwid) > (f.account_id, nullif(f.id, '')::uuid)
      order by account_id, gwid limit most for key share loop
      perform platform.search_network(n, true);
      f.account_id := n.account_id; f.id := n.gwid::text; taken := taken + 1;
    end loop;
  when 'device' then
    for d in select * from device where (account_id, serial) > (f.account_id, f.id)
      order by account_id, serial limit most for key share loop
      perform platform.search_device(d.account_id, d.serial, true);
      f.account_id := d.account_id; f.id := d.serial; taken := taken + 1;
    end loop;
  when 'ssid' then
    for w in select * from wireless_intent where (account_id, gwid) > (f.account_id, nullif(f.id, '')::uuid)
      order by account_id, gwid limit most for key share loop
      perform platform.search_ssids(w, true);
      f.account_id := w.account_id; f.id := w.gwid::text; taken := taken + 1;
    end loop;
  when 'client_remark' then
    -- locked against updates too: one that takes the remark away finds no entry to delete
    for m in select * from station_mark where (account_id, mac) > (f.account_id, f.id)
      order by account_id, mac limit most for share loop
      if m.remark <> '' then
        perform platform.put_search_entry(m.account_id, 'client_remark', m.mac, null, array[m.remark], true);
      end if;
      f.account_id := m.account_id; f.id := m.mac; taken := taken + 1;
    end loop;
  else
    with batch as materialized (
      select account_id, mac, hostname from station where (account_id, mac) > (f.account_id, f.id)
      order by account_id, mac limit most for key share
    ), put as (
      insert into search_entry (account_id, kind, id, words, initials)
      select account_id, 'client', mac, platform.search_client_words(mac, hostname), platform.search_client_initials(hostname)
      from batch order by account_id, mac on conflict do nothing
    )
    select b.account_id, b.mac, count(*) over () into f.account_id, f.id, taken
    from batch b order by b.account_id desc, b.mac desc limit 1;
  end case;
  if coalesce(taken, 0) < most then delete from platform.search_fill where kind = f.kind;
  else update platform.search_fill set account_id = f.account_id, id = f.id where kind = f.kind;
  end if;
  return true;
end $$;
revoke execute on function platform.fill_search_entries(integer) from public;
grant execute on function platform.fill_search_entries(integer) to yunxun_system;
`;
