import type { Seed } from '@yunxun/contract';
import { portalDraft } from './portal-draft.ts';
import type { Registered, TestServer } from './server.ts';

export async function makePortalTemplate(server: TestServer, owner: Registered): Promise<Pick<Seed, 'portalTemplate'>> {
  const call = async <T>(path: string, input: object): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/auth_template/${path}`, input, owner);
    if (answer.code !== 2000) throw new Error(`auth_template/${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  const { id } = await call<{ id: string }>('create', { name: 'Cafe', ...portalDraft() });
  await call('publish', { id, revision: 1 });
  await call('save', { id, revision: 1, name: 'Cafe', ...portalDraft({ remember_days: 7 }) });
  return { portalTemplate: { id } };
}

export async function makeSitePage(server: TestServer, owner: Registered): Promise<Pick<Seed, 'portalSitePage'>> {
  const call = async <T>(path: string, input: object): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
    if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  const { gwid } = await call<{ gwid: string }>('network/create', { remark: 'Kiosk' });
  const { id } = await call<{ id: string }>('auth_template/create', { name: 'Kiosk', ...portalDraft() });
  await call('auth_template/site/save', { gwid, id, revision: 0, page: portalDraft().page });
  return { portalSitePage: { gwid, id } };
}
