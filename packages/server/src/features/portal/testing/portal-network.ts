import type { PortalContent, PortalGateway } from '@yunxun/contract';
import { numbered } from '../../../../test/numbered.ts';
import type { Registered, TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import type { memoryTemplates } from './guest.ts';

export interface PortalNetwork {
  gwid: string;
  base: string;
  secret: string;
}

export async function portalNetwork(
  server: TestServer,
  owner: Registered,
  templates: Pick<ReturnType<typeof memoryTemplates>, 'set'>,
  { gateway, content }: { gateway: PortalGateway; content: PortalContent },
): Promise<PortalNetwork> {
  const { data } = await server.call<{ gwid: string }>(
    '/api/v3/network/create',
    { remark: numbered(owner, 'Lobby') },
    owner,
  );
  const template_id = newId();
  templates.set(template_id, content);
  const { gwid } = data;
  const saved = await server.call<{ secrets: { settings: string } }>(
    '/api/v3/portal/site/save',
    { gwid, enabled: true, template_id, gateway },
    owner,
  );
  if (saved.code !== 2000) throw new Error(`portal/site/save: ${saved.code} ${saved.message}`);
  const { settings } = saved.data.secrets;
  const secret = /faskey='([\w-]{32})'/.exec(settings)?.[1] ?? /"uam-secret": "([\w-]{32})"/.exec(settings)![1]!;
  const key = /\/p\/([\w-]{22})\//.exec(settings)![1]!;
  return { gwid, secret, base: `http://127.0.0.1:${server.program.portalPort}/p/${key}` };
}
