import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mendLinks } from './binaries.ts';
import { inspectProcess } from './processes.ts';
import { give, isRoot, links, makeCheckout, ordinary, query, sandbox, startProgram } from './testing/sandbox.ts';

const root = sandbox();
const systemDir = join(root, 'system');
let number = 0;

async function bareCheckout() {
  const checkout = await makeCheckout(join(root, `checkout${++number}`));
  const expected = links(checkout.packageDir).toSorted();
  expect(expected.length).toBeGreaterThan(5);
  for (const link of expected) rmSync(link);
  return { ...checkout, expected };
}

function ownFolder(): string {
  const dataDir = join(root, `data${++number}`);
  mkdirSync(dataDir);
  return give(dataDir, ordinary);
}

function writeProtect(dir: string): void {
  execFileSync('chmod', ['-R', 'a-w', dir]);
  onTestFinished(() => {
    execFileSync('chmod', ['-R', 'u+w', dir]);
  });
}

describe('an ordinary user', () => {
  test('gets the links that npm cannot carry, and starts', async () => {
    const { dir, program, packageDir, expected } = await bareCheckout();
    give(dir, ordinary);
    const running = await startProgram(program, { dataDir: ownFolder(), systemDir }, ordinary);
    expect(links(packageDir).toSorted()).toEqual(expected);
    expect(inspectProcess(running.ready.pid)!.command).toContain(packageDir);
  });

  test('with node_modules that cannot be written uses a copy in the data folder', async () => {
    const { dir, program, packageDir } = await bareCheckout();
    writeProtect(dir);
    const dataDir = ownFolder();
    const running = await startProgram(program, { dataDir, systemDir }, ordinary);
    expect(await query(running.ready.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
    const [copy] = readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('postgresql-'));
    expect(inspectProcess(running.ready.pid)!.command).toContain(join(dataDir, 'postgres', copy!));
    expect(links(packageDir)).toEqual([]);
  });

  test('with complete node_modules that cannot be written needs no copy', async () => {
    const { dir, program, packageDir } = await makeCheckout(join(root, `checkout${++number}`));
    writeProtect(dir);
    const running = await startProgram(program, { dataDir: ownFolder(), systemDir }, ordinary);
    expect(inspectProcess(running.ready.pid)!.command).toContain(packageDir);
  });

  test('whose system cannot run the programs gets the reason, and what to do instead', async () => {
    const { program, packageDir } = await makeCheckout(join(root, `checkout${++number}`));
    const postgres = join(packageDir, 'native', 'bin', 'postgres');
    rmSync(postgres);
    writeFileSync(postgres, '#!/no/such/loader\n');
    chmodSync(postgres, 0o755);
    await expect(startProgram(program, { dataDir: ownFolder(), systemDir }, ordinary)).rejects.toThrow(
      /does not run on this system .*glibc.*YUNXUN_DATABASE_URL/,
    );
  });

  test('without the platform’s package gets the reason, and what to do instead', async () => {
    const { program, packageDir } = await makeCheckout(join(root, `checkout${++number}`));
    rmSync(packageDir, { recursive: true });
    await expect(startProgram(program, { dataDir: ownFolder(), systemDir }, ordinary)).rejects.toThrow(
      /is not installed.*YUNXUN_DATABASE_URL/,
    );
  });

  test('whose data folder cannot be written gets the reason', async () => {
    const { program } = await makeCheckout(join(root, `checkout${++number}`));
    const dataDir = ownFolder();
    chmodSync(dataDir, 0o500);
    await expect(startProgram(program, { dataDir, systemDir }, ordinary)).rejects.toThrow(
      /data folder .* cannot be used by this user.*YUNXUN_DATA/,
    );
  });
});

test('links are made once, and again where one is missing', async () => {
  const { packageDir, expected } = await bareCheckout();
  mendLinks(packageDir);
  rmSync(expected[0]!);
  mendLinks(packageDir);
  mendLinks(packageDir);
  expect(links(packageDir).toSorted()).toEqual(expected);
  for (const link of expected) expect(existsSync(link)).toBe(true);
});

test('two programs that start at once make one copy', async () => {
  const { dir, program } = await bareCheckout();
  const copies = join(root, `copies${++number}`);
  if (isRoot) chmodSync(dir, 0o700);
  else writeProtect(dir);
  const dataDirs = [1, 2].map(() => (isRoot ? join(root, `data${++number}`) : ownFolder()));
  const running = await Promise.all(dataDirs.map((dataDir) => startProgram(program, { dataDir, systemDir: copies })));
  for (const { ready } of running) expect(await query(ready.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
  const places = isRoot ? [copies] : dataDirs.map((dataDir) => join(dataDir, 'postgres'));
  for (const place of places) {
    expect(readdirSync(place).filter((name) => name.startsWith('postgresql-'))).toHaveLength(1);
  }
});
