import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { loadTexts } from './i18n.ts';
import { may, refusedFor } from './may-open.ts';
import { aloneRoutes, isPlanned, layoutRoutes, publicRoutes, type RouteRow, type Screen } from './routes.ts';
import { parseSearch, stringifySearch } from './search.ts';
import { enter } from './session.ts';
import { isSetUp } from './set-up-link.ts';
import { ScreenFailed } from './shell/screen-failed.tsx';
import { readToken } from './token.ts';

/** Timeout of a screen's code, after which a retry is offered. */
const CHUNK_TIMEOUT_MS = 120_000;

const plannedScreen: Screen = async () => {
  const [{ PlannedScreen }] = await Promise.all([import('./shell/planned.tsx'), loadTexts('planned')]);
  return PlannedScreen;
};

function lazily(screen: Screen) {
  return lazyRouteComponent(async () => {
    const timeout = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('chunk timeout')), CHUNK_TIMEOUT_MS);
    });
    return { default: await Promise.race([screen(), timeout]) };
  });
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => null,
  errorComponent: ScreenFailed,
});

function publicRoute(row: RouteRow): AnyRoute {
  const component = lazily(isPlanned(row) ? plannedScreen : (row.screen as Screen));
  return createRoute({
    getParentRoute: () => root,
    path: row.path,
    staticData: { row },
    component,
    beforeLoad: () => {
      if (row.path === '/login' && readToken()) throw redirect({ to: '/' });
    },
  }) as AnyRoute;
}

async function loadInside(): Promise<void> {
  if (readToken()) await loadTexts('inside');
}

const gate = createRoute({
  getParentRoute: () => root,
  id: 'gate',
  component: Outlet,
  beforeLoad: async ({ location }) => {
    const [found] = await Promise.all([enter(location.href), loadInside()]);
    if ('user' in found) return { user: found.user };
    const wanted = location.href === '/' ? undefined : location.href;
    // a new installation has neither accounts nor an SMS provider
    if (found.to === 'login' && !found.ended && isSetUp(wanted))
      throw redirect({ to: '/register', search: { next: wanted } });
    if (found.to === 'login') throw redirect({ to: '/login', search: { next: wanted }, state: { ended: found.ended } });
    throw redirect({ to: '/404', search: { from: location.href, reason: 'user' } });
  },
});

const shell: Screen = async () => (await import('./shell/shell.tsx')).Shell;
const layout = createRoute({
  getParentRoute: () => gate,
  id: 'layout',
  component: lazily(shell),
  staticData: { shell },
});

function behindSignIn(parent: typeof gate | typeof layout, row: RouteRow): AnyRoute {
  const component = lazily(isPlanned(row) ? plannedScreen : (row.screen as Screen));
  return createRoute({
    getParentRoute: () => parent as typeof gate,
    path: row.path,
    staticData: { row },
    component,
    beforeLoad: ({ context }) => {
      const reason = refusedFor(row, context.user);
      if (!reason) return;
      // a reception has no overview
      if (row.path === '/' && may(context.user, 'guest.reception')) throw redirect({ to: '/reception' });
      if (row.path === '/' && may(context.user, 'voucher.write')) throw redirect({ to: '/vouchers' });
      const why = reason === 'permission' ? { permission: row.permission } : { reason };
      throw redirect({ to: '/forbidden', search: why });
    },
  }) as AnyRoute;
}

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: ({ location }) => {
    throw redirect({ to: '/404', search: { from: location.href } });
  },
});

export function makeRouter() {
  return createRouter({
    routeTree: root.addChildren([
      gate.addChildren([
        layout.addChildren(layoutRoutes.map((row) => behindSignIn(layout, row))),
        ...aloneRoutes.map((row) => behindSignIn(gate, row)),
      ]),
      ...publicRoutes.map(publicRoute),
      unknown,
    ]),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ScreenFailed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    row?: RouteRow;
    shell?: Screen;
  }
}
