import { beforeEach, expect } from 'vitest';
import { type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

/** Runs an agent without root, and a console that only orders. Tests begin with captive networks. */
export function captiveHost() {
  let made: { lab: Lab; host: LabHost };
  const parts = () => made;
  let uuid = 1;
  labFixture(async (own) => {
    const lab = own(await startLab({ console: true }));
    const host = own(await startHost(lab));
    made = { lab, host };
    await host.start();
    await apply();
    await lab.lease('a');
  });
  beforeEach(() => apply({ captive: captive() }));

  const captive = () => ({
    interfaces: ['LAN'],
    page: `http://${parts().lab.console}:8090/p/abcdefghijklmnopqrstuv/edge`,
    secret: 's'.repeat(32),
    garden: ['192.0.2.13', 'cdn.googlevideo.com'],
    exempt_macs: [] as string[],
    exempt_addresses: [] as string[],
  });

  /** Several ports are a bridge. */
  async function apply(section: object = {}, ports: readonly string[] = ['LAN1']): Promise<void> {
    uuid += 1;
    const document = smallGateway(uuid, { section });
    Object.assign(document.interfaces[1]!, { ethernet: [{ 'select-ports': ports }] });
    const word = await parts().host.configure(document);
    expect(word.status, JSON.stringify(word)).toMatchObject({ error: 0 });
  }

  async function visit(url = 'http://192.0.2.10/whoami'): Promise<{ status: number; to: string }> {
    const write = '%{http_code} %{redirect_url}';
    const { stdout } = await parts().lab.try('a', 'curl', '-sk', '-m', '4', '-o', '/dev/null', '-w', write, url);
    const [status = '0', to = ''] = stdout.split(' ');
    return { status: Number(status), to };
  }

  return {
    parts,
    captive,
    apply,
    visit,
    status: async (url?: string) => (await visit(url)).status,
    async order(op: 'grant' | 'revoke', ticket: string, more: object = { seconds: 600 }): Promise<void> {
      const { lab, host } = parts();
      const session = await host.session();
      const params = { tool: 'captive', op, ticket, mac: lab.mac('a'), ...(op === 'grant' ? more : {}) };
      expect(await session.command('yunxun.tool', params)).toMatchObject({ status: { error: 0 } });
    },
  };
}
