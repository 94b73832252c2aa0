import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import listed from './arrows-offenders.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules|testing)\//.test(name),
    )
    .map((name) => join(folder, name));
}

/** Imports of a file: own files by path from the root, packages by name. */
function importsOf(file: string): { target: string; typeOnly: boolean; lazy: boolean }[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:^|\n)\s*(import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/g)].map((match) => ({
    specifier: match[3]!,
    typeOnly: match[2] !== undefined,
    lazy: false,
  }));
  for (const match of text.matchAll(/import\('([^']+)'\)/g))
    found.push({ specifier: match[1]!, typeOnly: false, lazy: true });
  return found.map(({ specifier, ...how }) => ({
    ...how,
    target: specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : specifier,
  }));
}

const edges = sources('packages').flatMap((file) => importsOf(file).map((edge) => ({ file, ...edge })));
const named = ({ file, target }: { file: string; target: string }) => `${file} -> ${target}`;
const packageOf = (path: string) => /^packages\/(\w+)\//.exec(path)?.[1] ?? /^@yunxun\/(\w+)/.exec(path)?.[1];
const featureOf = (path: string) => /^packages\/server\/src\/features\/([\w-]+)\//.exec(path)?.[1];

it('finds the sources at all', () => {
  expect(edges.length).toBeGreaterThan(300);
});

it('lets packages import only from lower layers', () => {
  const allowed: Record<string, string[]> = {
    contract: [],
    portal: ['contract'],
    server: ['contract', 'portal', 'simulator'],
    web: ['contract', 'portal'],
    edge: ['contract'],
    simulator: ['contract', 'edge'],
    plugins: ['contract'],
  };
  const wrong = edges.filter(({ file, target }) => {
    const [from, to] = [packageOf(file)!, packageOf(target)];
    const packs = to === 'plugins' && /^packages\/server\/(test|src\/demo)\//.test(file);
    return to !== undefined && to !== from && !packs && !allowed[from]!.includes(to);
  });
  expect(wrong.map(named)).toEqual([]);
});

it('has no cycle of imports, not even among types', () => {
  const open = new Map<string, Set<string>>();
  for (const { file, target, lazy } of edges) if (!lazy) open.set(file, (open.get(file) ?? new Set()).add(target));
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    for (const [file, targets] of open) {
      for (const target of targets) if (!open.has(target)) targets.delete(target);
      if (targets.size === 0) open.delete(file);
    }
  }
  // every file that is left leads into a cycle
  const path: string[] = [];
  for (let next = [...open.keys()][0]; next && !path.includes(next); next = [...open.get(next)!][0]) path.push(next);
  expect(path).toEqual([]);
});

it('lets only the demo program know the simulator', () => {
  const wrong = edges.filter(
    ({ file, target }) => packageOf(file) === 'server' && packageOf(target) === 'simulator' && !/src\/demo/.test(file),
  );
  expect(wrong.map(named)).toEqual([]);
});

it('keeps features out of platform, uplink and telemetry', () => {
  const below = /^packages\/server\/src\/(platform|uplink|telemetry)\//;
  const wrong = edges.filter(({ file, target }) => below.test(file) && featureOf(target) !== undefined);
  expect(wrong.map(named)).toEqual([]);
});

it('keeps uplink and telemetry out of platform', () => {
  const wrong = edges.filter(
    ({ file, target }) =>
      file.startsWith('packages/server/src/platform/') && /^packages\/server\/src\/(uplink|telemetry)\//.test(target),
  );
  expect(wrong.map(named)).toEqual([]);
});

it('lets a feature reach another by its service, never by its store or tables', () => {
  const inner = /\/(store|[\w-]+-store|tables)\.ts$/;
  const wrong = edges.filter(({ file, target }) => {
    const [from, to] = [featureOf(file), featureOf(target)];
    return from !== undefined && to !== undefined && from !== to && inner.test(target);
  });
  expect(wrong.map(named)).toEqual([]);
});

/** Owner of each migration's tables; core tables have several. */
const owners: Record<string, string> = {
  job: 'jobs',
  job_item: 'jobs',
  message: 'messages',
  message_mark: 'messages',
  installation: 'installation',
  invitation: 'account',
  operation_log: 'logs',
  operation_log_head: 'logs',
  sign_in_log: 'logs',
  throttle: 'platform',
  account_key: 'platform',
  download: 'platform',
  outbox_message: 'platform',
  search_entry: 'platform',
  uplink_day: 'telemetry',
  uplink_progress: 'telemetry',
  portal_template: 'portal-templates',
  portal_template_version: 'portal-templates',
  portal_picture: 'portal-templates',
  portal_site_page: 'portal-templates',
  portal_shop: 'portal-templates',
  withdrawal: 'billing',
  invoice: 'billing',
  invoice_title: 'billing',
  invoice_order: 'billing',
};

/** Migrations not named after the owner of their tables. */
const ownersOfMigrations: Record<string, string> = {
  core: 'identity',
  rollups: 'telemetry',
  reads: 'telemetry',
  who: 'telemetry',
  radio: 'radio-plan',
  shared: 'uplink',
};

/** Tables by owner; a migration's name names its feature. */
const tableOwners = new Map(
  sources('packages/server/migrations').flatMap((file) => {
    const feature = /\d{4}-(\w+)/.exec(file)?.[1] ?? '';
    const byMigration = ownersOfMigrations[feature] ?? feature;
    const made = readFileSync(join(root, file), 'utf8').matchAll(/create table (?!platform\.)(\w+)/g);
    return [...made].map(([, table]) => [table!, owners[table!] ?? byMigration] as const);
  }),
);

// created in a loop, so their names are not in the text
for (const scope of ['device', 'network', 'account'])
  for (const step of ['5m', '1h', '1d']) tableOwners.set(`rollup_${scope}_${step}`, 'telemetry');

function tablesNamed(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g, '');
  const builder = /(?:selectFrom|insertInto|updateTable|deleteFrom|Join)\(\s*\[?['"`](\w+)/g;
  const statement = /\b(?:from|join|into|update|using|table|lock)\s+(?:only\s+)?(?:public\.)?(\w+)/gi;
  const queries = [...code.matchAll(/`[^`]*`|(['"])(?:select|insert|update|delete|with|lock)\b.*?\1/g)].join('\n');
  const plain = [...code.matchAll(builder), ...queries.matchAll(statement)].map((match) => match[1]!);
  const unmistakable = [...code.matchAll(/\b[a-z]+_[a-z0-9_]+\b/g)].map(([name]) => name);
  return [...new Set([...plain, ...unmistakable])].filter((name) => tableOwners.has(name));
}

it('lets a feature name no table in its SQL but its own', () => {
  expect(tableOwners.size).toBeGreaterThan(25);
  expect(
    tablesNamed('sql`select 1 from x join device d` /* from network */ db.selectFrom("job as j") config_state'),
  ).toEqual(['job', 'device', 'config_state']);
  const mayShare = (part: string, owner: string) => part === owner || (part === 'telemetry' && owner === 'uplink');
  const wrong = sources('packages/server/src').flatMap((file) => {
    const part = featureOf(file) ?? /^packages\/server\/src\/(uplink|telemetry)\//.exec(file)?.[1];
    if (part === undefined) return [];
    return tablesNamed(readFileSync(join(root, file), 'utf8'))
      .filter((table) => !mayShare(part, tableOwners.get(table)!))
      .map((table) => `${file} -> ${table} of ${tableOwners.get(table)}`);
  });
  expect(wrong).toEqual([]);
});

it('gives the browser rules and messages of the contract, never its schemas', () => {
  const wrong = edges.filter(
    ({ file, target, typeOnly }) =>
      packageOf(file) === 'web' && !typeOnly && (target.startsWith('typebox') || target === '@yunxun/contract'),
  );
  expect(wrong.map(named)).toEqual([]);
});

it('lets only the listed parts take the system role’s pool', () => {
  const mayUseSystem =
    /^packages\/server\/src\/(platform|uplink|telemetry|program|roles|start|demo|features\/(identity|binding|account|personal|installation|messages|logs|jobs|fleet|configuration|statistics|users|assets|backup|firmware|passwords|alarms|portal|portal-templates|radius|peripherals|billing|sdwan|shield|sms|plugins|reports|remote))/;
  const wrong = sources('packages/server/src').filter(
    (file) =>
      /\b(withSystem|systemPool|database\.system)\b/.test(readFileSync(join(root, file), 'utf8')) &&
      !mayUseSystem.test(file),
  );
  expect(wrong).toEqual([]);
});

const featureFolders = { server: 'packages/server/src/features', web: 'packages/web/src/features' } as const;
type Side = keyof typeof featureFolders;
const sides = Object.keys(featureFolders) as Side[];
const maxNames = 12;
const [maxRooms, maxFloors] = [40, 2];

interface Arrow {
  /** Null outside the features. */
  from: string | null;
  to: string;
  /** File, from the folder of the other feature. */
  entered: string;
}

/** Imports of a feature from elsewhere, except screens that load later. */
function arrowsAmong(found: readonly { file: string; target: string; lazy: boolean }[], side: Side): Arrow[] {
  const inside = new RegExp(`^${featureFolders[side]}/([\\w-]+)/(.+)$`);
  const program = found.filter(({ file }) => file.startsWith(dirname(featureFolders[side])));
  return program.flatMap(({ file, target, lazy }) => {
    const [, to, entered] = inside.exec(target) ?? [];
    const from = inside.exec(file)?.[1] ?? null;
    return to === undefined || from === to || (lazy && from === null) ? [] : [{ from, to, entered: entered! }];
  });
}

const sideDoors = (arrows: readonly Arrow[]) =>
  [...new Set(arrows.flatMap(({ to, entered }) => (entered === 'index.ts' ? [] : [`${to}/${entered}`])))].sort();

/** Names of a door; `*` for everything of another file. */
function namesOf(text: string): string[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) => names!.split(','));
  const own = [...text.matchAll(/^export (?:async )?(?:const|let|function|class|interface|type|enum) (\w+)/gm)];
  const all = [...text.matchAll(/^export \*/gm)].map(() => '*');
  return [...lists.map((name) => name.trim()).filter((name) => name !== ''), ...own.map(([, name]) => name!), ...all];
}

const isDoor = (names: readonly string[]) => names.length <= maxNames && !names.includes('*');

function mutualPairs(arrows: readonly Arrow[]): string[] {
  const known = new Set(arrows.map(({ from, to }) => `${from} ${to}`));
  const both = arrows.filter(({ from, to }) => from !== null && from < to && known.has(`${to} ${from}`));
  return [...new Set(both.map(({ from, to }) => `${from} ${to}`))].sort();
}

/** Returns the features on no floor: each floor imports from lower ones only. */
function climbing(arrows: readonly Arrow[]): string[] {
  const features = new Set(arrows.flatMap(({ from, to }) => (from === null ? [] : [from, to])));
  const without = (next: (arrow: Arrow) => [string | null, string | null]) => {
    for (let before = -1; before !== features.size; ) {
      before = features.size;
      for (const one of features) {
        const leads = arrows.some((arrow) => next(arrow)[0] === one && features.has(next(arrow)[1] ?? ''));
        if (!leads) features.delete(one);
      }
    }
  };
  without(({ from, to }) => [from, to]);
  without(({ from, to }) => [to, from]);
  return [...features].sort();
}

/** Counts files in a folder, without tests, and folders within folders. */
function plan(files: readonly string[]): { rooms: Map<string, number>; floors: Map<string, number> } {
  const [rooms, floors] = [new Map<string, number>(), new Map<string, number>()];
  for (const file of files) {
    const [feature, ...path] = file.split('/');
    const folder = dirname(file);
    rooms.set(folder, (rooms.get(folder) ?? 0) + 1);
    floors.set(feature!, Math.max(floors.get(feature!) ?? 0, path.length - 1));
  }
  return { rooms, floors };
}

function findOffenders(side: Side): Record<keyof (typeof listed)[Side], string[]> {
  const arrows = arrowsAmong(edges, side);
  const files = sources(featureFolders[side]).map((file) => relative(featureFolders[side], file));
  const doors = files.filter((file) => /^[^/]+\/index\.ts$/.test(file));
  const names = new Map(
    doors.map((door) => [door, namesOf(readFileSync(join(root, featureFolders[side], door), 'utf8'))]),
  );
  const { rooms, floors } = plan(files);
  return {
    'files entered beside the door': sideDoors(arrows),
    'doors of more than 12 names': doors.filter((door) => !isDoor(names.get(door)!)),
    'pairs that import each other': mutualPairs(arrows),
    'features on no floor': climbing(arrows),
    'folders of more than 40 files': [...rooms]
      .flatMap(([folder, n]) => (n > maxRooms ? [`${folder} ${n}`] : []))
      .sort(),
    'folders nested deeper than 2': [...floors].flatMap(([one, n]) => (n > maxFloors ? [`${one} ${n}`] : [])).sort(),
  };
}

describe.each(sides)('the features of %s', (side) => {
  const found = findOffenders(side);

  it.each(Object.keys(found) as (keyof typeof found)[])('have no %s, but for the list', (rule) => {
    const known: readonly string[] = listed[side][rule];
    const added = found[rule].filter((name) => !known.includes(name));
    const mended = known.filter((name) => !found[rule].includes(name));
    expect({ added, mended }, 'mend what was added; take what was mended off arrows-offenders.json').toEqual({
      added: [],
      mended: [],
    });
  });
});

describe('the rules of a door', () => {
  const at = (file: string, target: string, lazy = false) => ({
    file: file.replace(/^server\//, `${featureFolders.server}/`),
    target: target.replace(/^server\//, `${featureFolders.server}/`),
    lazy,
  });

  it('find a side entrance, a pair and a cycle', () => {
    const arrows = arrowsAmong(
      [
        at('server/fleet/names.ts', 'server/logs/index.ts'),
        at('server/logs/store.ts', 'server/fleet/names.ts'),
        at('server/alarms/index.ts', 'server/alarms/rules.ts'),
        at('packages/server/src/features.ts', 'server/jobs/service.ts'),
        at('server/a/index.ts', 'server/b/index.ts'),
        at('server/b/index.ts', 'server/c/index.ts'),
        at('server/c/index.ts', 'server/a/index.ts', true),
        at('server/c/index.ts', 'server/lowest/index.ts'),
        at('server/highest/index.ts', 'server/a/index.ts'),
      ],
      'server',
    );
    expect(sideDoors(arrows)).toEqual(['fleet/names.ts', 'jobs/service.ts']);
    expect(mutualPairs(arrows)).toEqual(['fleet logs']);
    expect(climbing(arrows)).toEqual(['a', 'b', 'c', 'fleet', 'logs']);
  });

  it('count each exported name, types included, and refuse a star', () => {
    const text = `export { type Operation, record } from './audit.ts';
export type { Hit } from './hit.ts';
export const logs = {};
export async function createLogs() {}
const inner = 1;`;
    expect(namesOf(text)).toEqual(['type Operation', 'record', 'Hit', 'logs', 'createLogs']);
    expect(isDoor(Array.from({ length: 12 }, (_, index) => `a${index}`))).toBe(true);
    expect(isDoor(Array.from({ length: 13 }, (_, index) => `a${index}`))).toBe(false);
    expect(isDoor(namesOf(`export * from './audit.ts';`))).toBe(false);
  });

  it('count rooms and floors', () => {
    const { rooms, floors } = plan(['fleet/index.ts', 'fleet/names.ts', 'fleet/tools/hops/trace.ts']);
    expect(Object.fromEntries(rooms)).toEqual({ fleet: 2, 'fleet/tools/hops': 1 });
    expect(Object.fromEntries(floors)).toEqual({ fleet: 2 });
  });
});
