import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import listed from './distribution-offenders.json' with { type: 'json' };

const ours = `(select oid, nspname from pg_namespace
  where nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'graphile_worker', 'job_queue'))`;
/** Tenant tables have row security; tables without it are directories, or belong to the installation. */
const tables = `(select c.oid, c.relname, c.relrowsecurity as tenant from pg_class c join ${ours} n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition)`;
const columnName = (table: string, column: string) =>
  `(select attname from pg_attribute where attrelid = ${table} and attnum = ${column})`;
const policies = `(
  select p.oid, p.polrelid, t.relname || '.' || p.polname as name,
    concat_ws(' ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) as expression
  from pg_policy p join ${tables} t on t.oid = p.polrelid)`;
const dependsOn = (condition: string) =>
  `exists (select from pg_depend d where d.classid = 'pg_policy'::regclass and d.objid = p.oid and ${condition})`;
const otherTable = dependsOn("d.refclassid = 'pg_class'::regclass and d.refobjid <> p.polrelid");

/** Each statement returns the names of what breaks the rule. `docs/internals/data.md` says why the rules hold. */
const rules = {
  'tenant tables have an account': `
    select t.relname as name from ${tables} t
    where t.tenant and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'account_id'
      and a.atttypid = 'uuid'::regtype and a.attnotnull)`,
  'keys begin with the account': `
    select t.relname || '.' || k.conname as name from pg_constraint k join ${tables} t on t.oid = k.conrelid
    where t.tenant and k.contype in ('p', 'u', 'f', 'x')
      and (${columnName('k.conrelid', 'k.conkey[1]')} is distinct from 'account_id'
        or k.contype = 'f' and ${columnName('k.confrelid', 'k.confkey[1]')} <> 'account_id')
    union
    select t.relname || '.' || c.relname from pg_index i join ${tables} t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
    where t.tenant and i.indisunique and ${columnName('i.indrelid', 'i.indkey[0]')} is distinct from 'account_id'`,
  'rows narrowed by network have their own gwid': `
    select name from ${policies} p
    where ${otherTable} or not ${dependsOn(`
      d.refclassid = 'pg_class'::regclass and ${columnName('d.refobjid', 'd.refobjsubid')} = 'gwid'`)}
      -- those for whole accounts only compare no row
      and regexp_replace(expression, 'platform\\.networks\\(\\)( AS networks\\))? IS NULL', '', 'g') like '%networks()%'`,
  'policies select nothing': `
    select name from ${policies} p
    where expression ~* '\\mselect\\M' or ${dependsOn(`d.refclassid = 'pg_proc'::regclass
      and d.refobjid not in ('platform.account()'::regprocedure, 'platform.networks()'::regprocedure)`)}`,
  'directories refer to no tenant table': `
    select t.relname || '.' || k.conname as name
    from pg_constraint k join ${tables} t on t.oid = k.conrelid join ${tables} other on other.oid = k.confrelid
    where k.contype = 'f' and not t.tenant and other.tenant`,
  'triggers have no transition tables': `
    select t.relname || '.' || g.tgname as name from pg_trigger g join ${tables} t on t.oid = g.tgrelid
    where g.tgoldtable is not null or g.tgnewtable is not null`,
  'functions take and return no table rows': `
    select n.nspname || '.' || p.proname as name from pg_proc p join ${ours} n on n.oid = p.pronamespace
    where exists (
      select from unnest(p.proargtypes::oid[] || coalesce(p.proallargtypes, '{}') || p.prorettype) a join pg_type y on y.oid = a
      join pg_type e on e.oid in (y.oid, y.typelem) join pg_class c on c.oid = e.typrelid
      where c.relkind in ('r', 'p'))`,
  'columns take no value from a sequence': `
    select t.relname || '.' || a.attname as name from pg_attribute a join ${tables} t on t.oid = a.attrelid
    left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
    where a.attnum > 0 and (a.attidentity <> '' or pg_get_expr(f.adbin, f.adrelid) like '%nextval(%')`,
  'functions run as their caller': `
    select n.nspname || '.' || p.proname as name from pg_proc p join ${ours} n on n.oid = p.pronamespace where p.prosecdef`,
} as const;
type Rule = keyof typeof rules;
const offenders: Readonly<Record<Rule, readonly string[]>> = listed;

let db: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  db = await createTestDatabase();
  owner = new pg.Client(db.owner);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await db.drop();
});

async function findOffenders(rule: Rule): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(rules[rule]);
  return rows.map(({ name }) => name).toSorted();
}

/** Undoes the statements. */
async function offendersOf(statements: string): Promise<Partial<Record<Rule, string[]>>> {
  await owner.query('begin');
  try {
    await owner.query(statements);
    const found: Partial<Record<Rule, string[]>> = {};
    for (const rule of Object.keys(rules) as Rule[]) {
      const names = (await findOffenders(rule)).filter((name) => !offenders[rule].includes(name));
      if (names.length > 0) found[rule] = names;
    }
    return found;
  } finally {
    await owner.query('rollback');
  }
}

describe('a schema that can be distributed by account', () => {
  it.each(Object.keys(rules) as Rule[])('%s, but for the list', async (rule) => {
    const found = await findOffenders(rule);
    const added = found.filter((name) => !offenders[rule].includes(name));
    const mended = offenders[rule].filter((name) => !found.includes(name));
    expect({ added, mended }, 'mend what was added; take what was mended off distribution-offenders.json').toEqual({
      added: [],
      mended: [],
    });
  });

  it('lists each offender once, sorted', () => {
    for (const names of Object.values(offenders)) expect(names).toEqual([...new Set(names)].toSorted());
  });

  it('accepts a table that is made by the recipe', async () => {
    const found = await offendersOf(`
      create table probe (
        account_id uuid not null references account on delete cascade, id uuid not null, gwid uuid not null,
        primary key (account_id, id), foreign key (account_id, gwid) references network on delete cascade);
      select platform.tenant_table('probe', 'gwid');
      create table probe_sum (account_id uuid primary key);
      select platform.tenant_table('probe_sum'), platform.whole_account_only('probe_sum')`);
    expect(found).toEqual({});
  });

  it('finds a breach of every rule', async () => {
    const found = await offendersOf(`
      create table probe_directory (key text primary key, account_id uuid constraint of_account references account);
      create table probe (account_id text, id integer generated always as identity, at serial, serial text, holder uuid,
        constraint by_id primary key (id), constraint held foreign key (holder) references account);
      create unique index by_lower on probe (lower(serial));
      alter table probe enable row level security;
      create policy by_device on probe using (serial in (select d.serial from device d));
      create policy by_other on probe using (holder = any (platform.networks()));
      create function probe_sees(wanted text) returns boolean language sql stable as 'select true';
      create policy by_function on probe using (probe_sees(serial));
      create function probe_definer() returns trigger language plpgsql security definer as 'begin return null; end';
      create trigger count_new after insert on probe referencing new table as fresh for each statement
        execute function probe_definer();
      create function probe_row(d device) returns void language sql as 'select null';
      create function probe_rows() returns setof device language sql as 'select * from device'`);
    expect(found).toEqual({
      'tenant tables have an account': ['probe'],
      'keys begin with the account': ['probe.by_id', 'probe.by_lower', 'probe.held'],
      'rows narrowed by network have their own gwid': ['probe.by_device', 'probe.by_other'],
      'policies select nothing': ['probe.by_device', 'probe.by_function'],
      'directories refer to no tenant table': ['probe_directory.of_account'],
      'triggers have no transition tables': ['probe.count_new'],
      'functions take and return no table rows': ['public.probe_row', 'public.probe_rows'],
      'columns take no value from a sequence': ['probe.at', 'probe.id'],
      'functions run as their caller': ['public.probe_definer'],
    });
  });
});
