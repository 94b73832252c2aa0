import { portalShapes } from '@yunxun/contract';
import type { EdgeCaptiveParams } from '@yunxun/contract/device';
import { type PageLocale, styleSheet } from '@yunxun/portal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { localeOf } from '../../platform/http/locale.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { parseAuthmon } from './adapters/authmon.ts';
import { gatewayPaths } from './adapters/index.ts';
import { answerAuthmon } from './authmon-calls.ts';
import { createCaptiveApi } from './captive-api.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { askedOf } from './guest-asked.ts';
import type { GuestLimits, Outcome } from './guest-limits.ts';
import type { GuestLogins } from './guest-logins.ts';
import type { createGuestPages } from './guest-pages.ts';
import { localeFor, sendOff, sendPage } from './guest-server.ts';
import type { GuestSites } from './guest-site.ts';
import { loginMinutes } from './login-store.ts';
import { isWrongGuess, methodNamed } from './methods/index.ts';
import type { Form, GuestRequest, GuestSite, PageAnswer } from './page-frame.ts';
import { Refused } from './refused.ts';
import { lineOf } from './relay-line.ts';
import type { PortalSecrets } from './secrets.ts';
import type { PortalTemplates } from './templates.ts';
import { changeVisit, type SiteKey } from './visit-store.ts';

export interface GuestRoutesDeps {
  database: Database;
  clock: Clock;
  secrets: PortalSecrets;
  sites: GuestSites;
  pages: ReturnType<typeof createGuestPages>;
  templates: PortalTemplates;
  outbox: Pick<Outbox, 'flush'>;
  gateways: Pick<EdgeGateways, 'order'>;
  origin(): string;
  logins: GuestLogins;
  limits: GuestLimits;
}

interface Submitted extends Outcome {
  answer: PageAnswer | null;
  /** See `GuestLogins`. */
  browser?: string;
}

type Keyed = FastifyRequest<{ Params: { key: string; id?: string; mark?: string } }>;

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Mounts under `/p/<key>/`. */
export function mountGuestRoutes(app: FastifyInstance, deps: GuestRoutesDeps): void {
  const { database, clock, secrets, sites, pages, templates, outbox, gateways, logins, limits, origin } = deps;
  const captiveStatus = createCaptiveApi(deps);

  function requestOf(request: Keyed, lang: string | null): GuestRequest {
    const locale = localeFor(request, lang);
    const agent = request.headers['user-agent'] ?? '';
    return { now: clock.now(), ip: request.ip, locale, origin: `${request.protocol}://${request.host}`, agent };
  }

  function send(reply: FastifyReply, answer: PageAnswer | null, locale: PageLocale): FastifyReply {
    if (!answer) return sendOff(reply, locale);
    return 'to' in answer ? reply.redirect(answer.to, 303) : sendPage(reply, answer.page);
  }

  type Show = (tx: Tx, guest: GuestSite, query: URLSearchParams, request: GuestRequest) => Promise<PageAnswer>;

  function page(path: string, show: Show): void {
    app.get<{ Params: { key: string } }>(`/p/:key${path}`, async (request, reply) => {
      const query = queryOf(request.raw.url ?? '');
      const guestRequest = requestOf(request, query.get('lang'));
      const answer = await sites.open(request.params.key, (tx, guest) => show(tx, guest, query, guestRequest));
      return send(reply, answer, guestRequest.locale);
    });
  }

  for (const name of ['', '/']) page(name, async (_tx, guest, _query, request) => pages.direct(guest, request));

  for (const name of [...gatewayPaths(), 'fas/:mark']) {
    app.get<{ Params: { key: string; mark?: string } }>(`/p/:key/${name}`, async (request, reply) => {
      const url = request.raw.url ?? '';
      const query = queryOf(url);
      const call = parseAuthmon(query);
      if (call) return answerGateway(request, reply, call);
      const guestRequest = requestOf(request, null);
      const redirect = { url, host: request.host, query, mark: request.params.mark };
      const answer = await sites.arrive(request.params.key, async (tx, guest, addVisit) =>
        query.size === 0
          ? pages.direct(guest, guestRequest)
          : pages.arrive(tx, guest, addVisit, redirect, guestRequest),
      );
      return send(reply, answer, guestRequest.locale);
    });
  }

  for (const path of ['/p/:key/fas', '/p/:key/fas/:mark']) {
    app.post<{ Params: { key: string; mark?: string } }>(path, async (request, reply) => {
      const call = parseAuthmon(new URLSearchParams(formOf(request)));
      return call ? answerGateway(request, reply, call) : sendOff(reply, localeOf(request, 'en'));
    });
  }

  async function answerGateway(
    request: Keyed,
    reply: FastifyReply,
    call: NonNullable<ReturnType<typeof parseAuthmon>>,
  ) {
    const answer = await sites.open(request.params.key, async (tx, guest) =>
      guest.adapter.reportsBy === 'polling'
        ? answerAuthmon(tx, guest, { ...call, mark: request.params.mark }, clock.now())
        : null,
    );
    return answer === null ? reply.status(404).send() : reply.type('text/plain').send(answer);
  }

  app.get<{ Params: { key: string } }>('/p/:key/api', async (request, reply) => {
    const { socket } = request.raw;
    const asked = { line: lineOf(socket), socket, origin: origin(), now: clock.now() };
    const status = await sites.open(request.params.key, (tx, guest) => captiveStatus(tx, guest, asked));
    if (!status) return reply.status(404).send();
    // without a charset, which the type does not have
    return reply.type('application/captive+json').send(Buffer.from(JSON.stringify(status)));
  });

  page('/page', (tx, guest, query, request) => pages.again(tx, guest, query.get('s') ?? '', request));

  app.get<{ Params: { key: string } }>('/p/:key/go', async (request, reply) => {
    const { key } = request.params;
    const query = queryOf(request.raw.url ?? '');
    const sealed = query.get('s') ?? '';
    const guestRequest = requestOf(request, query.get('lang'));
    const asked = await sites.open(key, async (tx, guest) => ({
      site: guest.site,
      answer: await pages.grantAccess(tx, guest, sealed, guestRequest),
    }));
    if (!asked) return send(reply, null, guestRequest.locale);
    const { site, answer } = asked;
    if (!('order' in answer)) return send(reply, answer, guestRequest.locale);
    // no transaction: the gateway may take seconds
    const { sessionId, ...grant } = answer.order;
    const taken = await gateways.order(site, { tool: 'captive', op: 'grant', ...grant });
    await sites.open(key, (tx, guest) =>
      pages.sessionGranted(tx, guest, sessionId, taken === 'acknowledged', clock.now()),
    );
    return reply.redirect(`/p/${key}/wait?s=${sealed}`, 303);
  });
  for (const [name, show] of pages.ownPages())
    page(`/${name}`, (tx, guest, query, request) => show(tx, guest, Object.fromEntries(query), request));
  for (const [name, show] of pages.ownPosts()) {
    app.post<{ Params: { key: string } }>(`/p/:key/${name}`, async (request, reply) => {
      const form = formOf(request);
      const guestRequest = requestOf(request, form.lang ?? null);
      const answer = await sites.open(request.params.key, (tx, guest) => show(tx, guest, form, guestRequest));
      return send(reply, answer, guestRequest.locale);
    });
  }
  page('/wait', (tx, guest, query, request) => pages.wait(tx, guest, query.get('s') ?? '', request));

  app.post<{ Params: { key: string } }>('/p/:key/session', async (request, reply) => {
    const { key } = request.params;
    const form = formOf(request);
    const guestRequest = requestOf(request, form.lang ?? null);
    const asked = await sites.open(key, async (tx, guest) => ({
      site: guest.site,
      answer: await pages.control(tx, guest, form, guestRequest),
    }));
    if (!asked) return send(reply, null, guestRequest.locale);
    const { site, answer } = asked;
    if (!('order' in answer)) return send(reply, answer, guestRequest.locale);
    const { order } = answer;
    const { ticket, mac } = order;
    const params: EdgeCaptiveParams =
      order.op === 'revoke'
        ? { tool: 'captive', op: 'revoke', ticket, mac }
        : {
            tool: 'captive',
            op: 'grant',
            ticket,
            mac,
            seconds: order.seconds,
            up_kbps: order.up_kbps,
            down_kbps: order.down_kbps,
          };
    const taken = (await gateways.order(site, params)) === 'acknowledged';
    const done = await sites.open(key, (tx, guest) =>
      pages.controlDone(tx, guest, form.s ?? '', { order, taken }, guestRequest),
    );
    return send(reply, done, guestRequest.locale);
  });

  app.post<{ Params: { key: string } }>('/p/:key/sign-in', async (request, reply) => {
    const { key } = request.params;
    const form = formOf(request);
    const guestRequest = requestOf(request, form.lang ?? null);
    const isLogin = portalShapes.isLoginMethod(form.way ?? '');
    // a form elsewhere would let its author's device in with the account that this browser is signed in with
    if (isLogin && isForeign(request, origin())) return sendOff(reply, guestRequest.locale);
    const { now, ip } = guestRequest;
    const before = await sites.open(key, async (tx, guest) => {
      const state = pages.stateOf(guest, form.state ?? '', now);
      return {
        site: guest.site,
        asked: state && (await askedOf(tx, secrets, guest, { form, arrival: state.arrival, ip })),
      };
    });
    if (!before) return sendOff(reply, guestRequest.locale);
    const { site, asked } = before;
    // the wait for a turn takes time
    const submit = (): Promise<Submitted> => {
      const at = requestOf(request, form.lang ?? null);
      return isLogin ? logins.start(key, form, at) : submitForm(key, site, form, at);
    };
    const done = asked ? await limits.run(asked, now, goneOf(reply), submit) : await submit();
    if (done === null) return sendOff(reply, guestRequest.locale);
    if (done instanceof Refused) {
      const shown = await sites.open(key, (tx, guest) => pages.refuse(tx, guest, form, guestRequest, done));
      return send(reply, shown, guestRequest.locale);
    }
    if (done.browser) reply.header('set-cookie', loginCookie(done.browser, request.protocol));
    if (form.step && methodNamed(form.way ?? '')?.sends) await outbox.flush();
    return send(reply, done.answer, guestRequest.locale);
  });

  async function submitForm(key: string, site: SiteKey, form: Form, request: GuestRequest): Promise<Submitted> {
    const proveFirst = methodNamed(form.way ?? '')?.proveFirst;
    const proven = (await proveFirst?.((work) => inAccount(site.accountId, work), site, form)) ?? null;
    const done = await sites.open(key, (tx, guest) => pages.submit(tx, guest, form, request, proven));
    // without it guests pay over mobile data
    if (done?.pass) await gateways.order(site, done.pass);
    const reason = done?.refused?.error.reason;
    return {
      answer: done?.answer ?? null,
      isDone: done !== null && reason === undefined,
      isWrong: reason !== undefined && isWrongGuess(reason),
    };
  }

  app.get('/login', async (request, reply) => {
    const guestRequest = requestOf(request as Keyed, null);
    const browser = cookieForm.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const answer = await logins.finish(queryOf(request.raw.url ?? ''), browser, guestRequest);
    return send(reply, answer, guestRequest.locale);
  });

  const inAccount = <T>(accountId: string, work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ accountId, userId: null, gwids: null }, work);

  app.get<{ Params: { key: string } }>('/p/:key/page.css', async (request, reply) => {
    const visit = queryOf(request.raw.url ?? '').get('v') ?? '';
    const css = await sites.open(request.params.key, async (tx, guest) => {
      if (idForm.test(visit)) await changeVisit(tx, guest.site, visit, { opened_at: clock.now() });
      const { colour, background } = guest.published.content.page;
      return styleSheet({ colour, background: background && `/p/${guest.key}/picture/${background}` });
    });
    return css === null ? reply.status(404).send() : reply.type('text/css; charset=utf-8').send(css);
  });

  app.get<{ Params: { key: string; id: string } }>('/p/:key/picture/:id', async (request, reply) => {
    const { key, id } = request.params;
    const picture = await sites.open(key, async (tx, guest) =>
      picturesOf(guest).includes(id) ? templates.picture(tx, id) : null,
    );
    if (!picture || !/^image\/(png|jpeg|gif|webp)$/.test(picture.mime)) return reply.status(404).send();
    return reply.header('cache-control', 'private, max-age=3600').type(picture.mime).send(picture.bytes);
  });
}

/** Browsers send Sec-Fetch-Site only over HTTPS and to localhost, and Origin with every form. */
function isForeign({ headers, host }: FastifyRequest, own: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  const { origin = '' } = headers;
  return !URL.canParse(origin) || ![host, new URL(own).host].includes(new URL(origin).host);
}

function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

const cookieForm = /(?:^|; )portal_login=([\w-]+)/;
const loginCookie = (browser: string, protocol: string) =>
  `portal_login=${browser}; Path=/login; Max-Age=${loginMinutes * 60}; HttpOnly; SameSite=Lax${protocol === 'https' ? '; Secure' : ''}`;

/** Serves pictures of the published page only. */
function picturesOf({ published }: GuestSite): string[] {
  const { logo, background, carousel, countdown } = published.content.page;
  return [logo, background, countdown?.picture ?? null, ...carousel].filter((id) => id !== null);
}

function formOf({ body }: FastifyRequest): Record<string, string> {
  return typeof body === 'object' && body !== null ? (body as Record<string, string>) : {};
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
