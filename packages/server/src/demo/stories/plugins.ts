import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCatalogue, makeKey, packArchive } from '../../../../plugins/pack.ts';
import type { Call } from '../call.ts';
import { inThePast } from '../past-console.ts';
import { sitesOf, withRole } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

const publisher = 'Yunxun-Demo';
const plugin = 'metrics';
const folders = ['../../../../plugins', '../../plugins'];
/** Key of `Memory.notes`: the publisher's private key. */
const keyNote = 'publisher';

export const plugins: Story = {
  name: 'plugins',
  async tell(world) {
    const { memory, save } = world.file;
    const [first] = world.owners;
    if (!first) return;
    memory.notes[keyNote] ??= makeKey();
    save();
    const made = memory.notes[keyNote] as ReturnType<typeof makeKey>;
    await inThePast(world, async (past) => {
      past.at(new Date());
      const admin = await past.as(first);
      const { list } = await admin<{ list: { key: string }[] }>('/api/v3/install/plugin/publishers', {});
      if (!list.some(({ key }) => key === made.key))
        await admin('/api/v3/install/plugin/trust', { name: publisher, key: made.key });
      await admin('/api/v3/install/plugin/import', { file: catalogue('1.0.0', made.pem) });
      for (const owner of world.owners) {
        const gateways = sitesOf(world, owner).flatMap((site) => withRole(site, 'edge'));
        const serials = gateways.map(({ serial }) => serial).slice(0, 2);
        if (serials.length > 0) await install(world, owner.call, serials);
      }
      await admin('/api/v3/install/plugin/import', { file: catalogue('1.1.0', made.pem) });
    });
  },
};

interface Detail {
  devices: { serial: string; install: { reported_version: string | null } | null }[];
}

async function install(world: DemoWorld, call: Call, serials: readonly string[]): Promise<void> {
  const installed = async () => {
    const { devices } = await call<Detail>('/api/v3/plugin/detail', { id: plugin });
    return serials.every((serial) =>
      devices.some((one) => one.serial === serial && typeof one.install?.reported_version === 'string'),
    );
  };
  if (await installed()) return;
  const settings = { address: '127.0.0.1', port: 9100, loopback: false };
  await call('/api/v3/plugin/install', { id: plugin, serials, settings });
  await until(world, installed);
}

/** Packs the plugin of this repository under a version, signed. */
function catalogue(version: string, pem: string): string {
  const source = folders.map((folder) => join(import.meta.dirname, folder, plugin)).find((path) => existsSync(path));
  if (!source) throw new Error(`the plugin ${plugin} is not in this copy of the repository`);
  const folder = mkdtempSync(join(tmpdir(), 'yunxun-demo-'));
  try {
    cpSync(source, folder, { recursive: true });
    const rewrite = (name: string, change: object) => {
      const path = join(folder, name);
      writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change }));
    };
    rewrite('plugin.json', { version });
    rewrite('entry.json', { min_agent: '0.0.0' });
    return packArchive(buildCatalogue([folder], publisher, pem)).toString('base64');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
