export const name = '0097-search';

/**
 * Entries with an index of their grams: three neighbouring characters, two if one is not ASCII, so that two Chinese
 * characters match. Not pg_trgm: it finds nothing by two Chinese characters, depends on the locale, and `like` may use
 * no index under row security. Grams are hashed with account and kind: others' common words cost nothing.
 */
export const up = `
create table search_entry (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  id text not null,
  -- the network that it belongs to; null where visibility is decided by the part that reads the object
  gwid uuid,
  -- fields, each between line breaks
  words text not null,
  -- pinyin initials of the fields in Chinese, also between line breaks; null until they are computed
  initials text,
  primary key (account_id, kind, id)
) with (fillfactor = 90);
select platform.tenant_table('search_entry', 'gwid');
-- requests read it by search_entries() only, and triggers write it
revoke all on search_entry from yunxun_app;

-- the hash of a gram, or of a whole field between line breaks
create function platform.search_hash(account uuid, kind text, gram text) returns integer
language sql immutable strict parallel safe as $$
  select (hashtextextended(gram, hashtextextended(kind, hashtextextended(account::text, 0))) & 2147483647)::integer
$$;
create function platform.search_grams(account uuid, kind text, words text) returns integer[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(gram, seed) & 2147483647)::integer), '{}')
  from (
    select gram from (
      select substr(words, i, 3) as gram from generate_series(1, length(words) - 2) i
      union all
      select substr(words, i, 2) from generate_series(1, length(words) - 1) i where octet_length(substr(words, i, 2)) > 2
    ) p
    -- a line break only begins a gram: a search word holds none, but is looked for at the start of a field
    where strpos(substr(gram, 2), E'\\n') = 0
    union all
    -- whole fields: an exact match is found among any number of fields that begin with it
    select E'\\n' || field || E'\\n' from unnest(string_to_array(words, E'\\n')) field where field <> ''
  ) g, (select hashtextextended(kind, hashtextextended(account::text, 0)) as seed offset 0) h
$$;
-- as few grams as cover a word: each costs as much as it has entries. None for one that is too short for the index
create function platform.search_word_grams(account uuid, kind text, word text) returns integer[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct (hashtextextended(gram, seed) & 2147483647)::integer), '{}')
  from (
    select substr(word, i, 3) as gram from generate_series(1, length(word) - 2, 3) i
    union all
    select right(word, 3) where length(word) > 3
    union all
    select word where length(word) = 2 and octet_length(word) > 2
  ) g, (select hashtextextended(kind, hashtextextended(account::text, 0)) as seed offset 0) h
$$;
create index search_entry_initials on search_entry (account_id, kind, id) where initials is null;

-- writes an entry, or only a missing one; empty fields and line breaks within fields are left out
create function platform.put_search_entry(
  account uuid, entry_kind text, entry_id text, network uuid, fields text[], only_missing boolean default false)
returns void language sql security definer set search_path = pg_catalog, public, platform as $$
  insert into search_entry as e (account_id, kind, id, gwid, words, initials)
  select account, entry_kind, entry_id, network, words, case when octet_length(words) = length(words) then '' end
  from (select E'\\n' || coalesce(string_agg(translate(field, E'\\n\\r', '') || E'\\n', '' order by place), '') as words
    from unnest(fields) with ordinality f (field, place) where field <> '') w
  on conflict (account_id, kind, id) do update set gwid = excluded.gwid, words = excluded.words,
    initials = case when e.words = excluded.words then e.initials else excluded.initials end
  where not only_missing and (e.gwid, e.words) is distinct from (excluded.gwid, excluded.words)
$$;
revoke execute on function platform.put_search_entry(uuid, text, text, uuid, text[], boolean) from public;

-- entries of the transaction's account and networks that hold a word: rank 0 as a whole field, 1 at the start of one, 2
-- elsewhere. At most so many, the lower ranks first; row security cannot use the index, so this reads as the owner and
-- narrows by itself. Account and kind are compared so that the primary key cannot serve them: planned once for all
-- accounts, the statements must use the grams
create function platform.search_entries(wanted text, word text, most integer)
returns table (id text, words text, gwid uuid, rank integer)
language plpgsql stable security definer rows 100
set search_path = pg_catalog, public, platform set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
  account uuid := platform.account();
  visible uuid[] := platform.networks();
  sought text := lower(word);
  at_start text := E'\\n' || sought;
  grams integer[] := platform.search_word_grams(account, wanted, at_start);
  whole integer[] := array[platform.search_hash(account, wanted, at_start || E'\\n')];
  found_rows integer := 0;
  more_rows integer := 0;
begin
  if account is null or strpos(sought, E'\\n') > 0 then return; end if;
  return query
    select e.id, e.words, e.gwid, 0 from search_entry e
    where platform.search_grams(e.account_id, e.kind, lower(e.words || coalesce(e.initials, ''))) @> whole
      and row(e.account_id, e.kind) is not distinct from row(account, wanted) and (visible is null or e.gwid is null or e.gwid = any(visible))
      and strpos(lower(e.words || coalesce(e.initials, '')), at_start || E'\\n') > 0
    limit most;
  get diagnostics found_rows = row_count;
  if found_rows < most and cardinality(grams) > 0 then
    return query
      select e.id, e.words, e.gwid, 1 from search_entry e
      where platform.search_grams(e.account_id, e.kind, lower(e.words || coalesce(e.initials, ''))) @> grams
        and row(e.account_id, e.kind) is not distinct from row(account, wanted) and (visible is null or e.gwid is null or e.gwid = any(visible))
        and strpos(lower(e.words || coalesce(e.initials, '')), at_start) > 0
        and strpos(lower(e.words || coalesce(e.initials, '')), at_start || E'\\n') = 0
      limit most - found_rows;
    get diagnostics more_rows = row_count;
    found_rows := found_rows + more_rows;
  end if;
  grams := platform.search_word_grams(account, wanted, sought);
  if found_rows < most and cardinality(grams) > 0 then
    return query
      select e.id, e.words, e.gwid, 2 from search_entry e
      where platform.search_grams(e.account_id, e.kind, lower(e.words || coalesce(e.initials, ''))) @> grams
        and row(e.account_id, e.kind) is not distinct from row(account, wanted) and (visible is null or e.gwid is null or e.gwid = any(visible))
        and strpos(lower(e.words || coalesce(e.initials, '')), sought) > 0
        and strpos(lower(e.words || coalesce(e.initials, '')), at_start) = 0
      limit most - found_rows;
  end if;
end $$;
revoke execute on function platform.search_entries(text, text, integer) from public;
grant execute on function platform.search_entries(text, text, integer) to yunxun_app;
`;
