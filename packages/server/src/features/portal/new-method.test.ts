import type { PortalMethodKind } from '@yunxun/contract';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { methodShapes } from '../../../../contract/src/portal-methods/index.ts';
import { portalDraft, portalLimits } from '../../../test/portal-draft.ts';
import type { Registered, TestServer } from '../../../test/server.ts';

const shape = { settings: { company: Type.String({ maxLength: 16 }) }, secret: {} };

let server: TestServer;
let owner: Registered;
let gwid: string;
const call = <T = unknown>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);

beforeAll(async () => {
  // before schemas derive from it
  Object.assign(methodShapes, { badge: shape });
  const { html } = await import('../../../../portal/src/html.ts');
  const { methodForms } = await import('../../../../portal/src/methods/forms.ts');
  const { methodText } = await import('../../../../portal/src/methods/method-text.ts');
  const { methodTexts } = await import('../../../../portal/src/methods/texts.ts');
  const { methods } = await import('./methods/index.ts');
  const { plain } = await import('./methods/proof.ts');
  const { Refused } = await import('./refused.ts');
  const texts = { heading: 'Sign in with your badge', hint: 'It is blue.' };
  Object.assign(methodTexts, { badge: methodText({ 'zh-CN': texts, en: texts }) });
  Object.assign(methodForms, { badge: { fields: () => html`<input name="badge"><button>OK</button>` } });
  const prove = async (_deps: unknown, _tx: unknown, { form }: { form: Record<string, string> }, method: never) => {
    const { company } = method as { company: string };
    if (!form.badge?.startsWith(`${company}-`)) throw new Refused('wrong_password');
    return { ...plain(method), identity: form.badge };
  };
  Object.assign(methods, { badge: { prove, wrong: ['wrong_password'] } });

  const { startTestServer } = await import('../../../test/server.ts');
  server = await startTestServer();
  owner = await server.register();
  gwid = (await call<{ gwid: string }>('network/create', { remark: 'Lobby' })).data.gwid;
});
afterAll(() => server?.stop());

const draft = (more: object) => ({
  name: 'Staff',
  ...portalDraft({ methods: [{ kind: 'badge', ...portalLimits, ...more }] }),
});

it('serves a method from its template to the figures once it is declared', async () => {
  const { alertOf, nextOf, openPage, plainFas, newClient, submit } = await import('./testing/guest.ts');
  const incomplete = await call('auth_template/create', draft({}));
  expect(Object.keys(incomplete.errors!)).toEqual(['methods.0.company']);
  const { id } = (await call<{ id: string }>('auth_template/create', draft({ company: 'ACME', every: 'day' }))).data;
  const kept = { kind: 'badge', company: 'ACME', ...portalLimits, password_set: false, secret_set: false };
  const shown = await call<{ methods: object[] }>('auth_template/detail', { id });
  expect(shown.data.methods).toEqual([kept]);
  await call('auth_template/publish', { id, revision: 1 });
  const site = { gwid, enabled: true, template_id: id, gateway: 'opennds_1' };
  const saved = await call<{ secrets: { settings: string } }>('portal/site/save', site);
  const key = /\/p\/([\w-]{22})\//.exec(saved.data.secrets.settings)![1]!;
  const base = `http://127.0.0.1:${server.program.portalPort}/p/${key}`;

  const page = await openPage(`${base}/fas?${plainFas(newClient())}`);
  expect(page.html).toContain('Sign in with your badge');
  expect(alertOf(await submit(page, 'badge', { badge: 'OTHER-7' }))).toContain('wrong');
  expect(nextOf(await submit(page, 'badge', { badge: 'ACME-7' }))).toContain('opennds_auth');

  const sessions = async (method: string) =>
    (await call<{ list: object[] }>('portal/session/list', { gwid, method })).data.list;
  expect(await sessions('badge')).toMatchObject([{ method: 'badge', identity: 'ACME-7' }]);
  expect(await sessions('voucher')).toEqual([]);
  const figures = await call<{ auth_type: object[] }>('user_stat/flow_model', { gwid, day: 30 });
  expect(figures.data.auth_type).toEqual([{ name: 'badge', value: 1 }]);
});

it('leaves no part of a method out', async () => {
  const { methodForms } = await import('../../../../portal/src/methods/forms.ts');
  const { methodTexts } = await import('../../../../portal/src/methods/texts.ts');
  const { methods } = await import('./methods/index.ts');
  const { voucher: _form, ...forms } = methodForms;
  const { voucher: _text, ...texts } = methodTexts;
  const { voucher: _proof, ...proofs } = methods;
  const { data: _data, ...sms } = methods.sms;
  const { createProvider: _provider, ...oidc } = methods.oidc;
  // @ts-expect-error a method without a form on the guest's page
  const noForm: Record<PortalMethodKind, object> = forms;
  // @ts-expect-error a method without a text
  const noText: Record<PortalMethodKind, object> = texts;
  // @ts-expect-error a method without a proof
  const noProof: typeof methods = proofs;
  // @ts-expect-error a form without what it shows
  const noData: typeof methods.sms = sms;
  // @ts-expect-error an identity provider that cannot be reached
  const noProvider: typeof methods.oidc = oidc;
  const whole = [methodForms, methodTexts, methods, methods.sms, methods.oidc];
  const parts = [noForm, noText, noProof, noData, noProvider];
  expect(parts.map((part) => Object.keys(part).length)).toEqual(whole.map((all) => Object.keys(all).length - 1));
});
