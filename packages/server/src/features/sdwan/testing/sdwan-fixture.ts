import type { DataOf, sdwan } from '@yunxun/contract';
import type { EdgeSdwan } from '@yunxun/contract/device';
import { insertSdwanGateway, report } from '../../../../test/seed-sdwan.ts';
import type { Registered, TestServer } from '../../../../test/server.ts';

export type Gateway = Awaited<ReturnType<typeof insertSdwanGateway>>;
type Detail = DataOf<typeof sdwan.networkDetail>;
type ReportedRoute = { prefix: string; interface: string | null };

export async function sdwanFixture(server: TestServer, count: number) {
  const owner = await server.register();
  const sites: Gateway[] = [];
  for (let at = 1; at <= count; at += 1) sites.push(await insertSdwanGateway(server, owner, at));
  return { owner, sites, ...sdwanCalls(server, owner, sites) };
}

export function sdwanCalls(server: TestServer, owner: Registered, sites: readonly Gateway[]) {
  const pool = server.db.database.systemPool;
  const call = <T>(path: string, input: object = {}) => server.call<T>(`/api/v3/sdwan/${path}`, input, owner);
  const detail = async (id: string) => (await call<Detail>('network/detail', { id })).data;

  const node = (at: number, own: object = {}) => ({
    key: sites[at]!.gwid,
    role: at === 0 ? 'main' : '',
    pid: '',
    position: 1,
    widthband: 10,
    foreign_widthband: 0,
    host: null,
    group_id: null,
    lans: [{ prefix: `10.7.${at}.0/24` }],
    ...own,
  });
  const star = (nodes: object[]) => ({ type: 2, mode: 'transit', strategy_id: null, nodes });

  async function documents(id: string): Promise<Map<string, EdgeSdwan>> {
    const { rows } = await pool.query<{ gwid: string; document: EdgeSdwan }>(
      'select gwid, document from sdwan_node where network_id = $1',
      [id],
    );
    return new Map(rows.map(({ gwid, document }) => [gwid, document]));
  }

  async function reportAll(
    id: string,
    keys: readonly number[],
    alive: (peer: string) => boolean = () => true,
    routes: (document: EdgeSdwan) => ReportedRoute[] = () => [],
  ): Promise<void> {
    const given = await documents(id);
    for (const at of keys) {
      const { gwid, serial, publicKey } = sites[at]!;
      const document = given.get(gwid)!;
      const peers = document.interfaces.flatMap(({ name, peers: own }) =>
        own.map(({ public_key }) => ({
          interface: name,
          public_key,
          handshake: Math.floor(Date.now() / 1000),
          alive: alive(public_key),
          endpoint: null,
          rx_bytes: 1,
          tx_bytes: 2,
          latency_ms: 4,
          loss_pct: 0,
        })),
      );
      const networks = [{ id, revision: document.revision, error: null, peers, routes: routes(document) }];
      await report(server, owner, { serial, publicKey, address: `198.51.100.${at + 1}`, networks });
      await pool.query('update device set online = true, online_since = now() where serial = $1', [serial]);
    }
  }

  /** The first is the main centre. */
  async function deployStar(name: string, nodes: object[]): Promise<string> {
    const { data } = await call<{ id: string }>('network/create', { name, ...star(nodes) });
    await call('network/deploy', { id: data.id });
    return data.id;
  }

  return { call, detail, node, star, documents, reportAll, deployStar };
}
