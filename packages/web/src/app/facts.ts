import type { QueryClient } from '@tanstack/react-query';
import type { LiveFact } from '@yunxun/contract';
import type { ApiPath, Data } from './api.ts';
import { rateLimited } from './rate-limited.ts';

const log = '/api/v3/log/action/list';

/** By type or its first part. */
const touched: Readonly<Record<string, readonly ApiPath[]>> = {
  device: [
    '/api/v3/network/list',
    '/api/v3/network/detail',
    '/api/v3/ap/list',
    '/api/v3/ap/detail',
    '/api/v3/device/waiting/list',
    '/api/v3/device/onboarding',
    '/api/v3/overview/attention',
  ],
  'device.changed': [log, '/api/v3/device/config/get', '/api/v3/device/config/versions'],
  network: ['/api/v3/network/list', '/api/v3/network/detail', '/api/v3/overview/attention', log],
  job: [
    '/api/v3/job/list',
    '/api/v3/job/detail',
    '/api/v3/overview/attention',
    '/api/v3/network/tool/list',
    '/api/v3/network/tool/detail',
    log,
  ],
  config: ['/api/v3/network/list', '/api/v3/network/detail', '/api/v3/ap/list', '/api/v3/overview/attention'],
  // delegations and invitations arrive with a message
  message: [
    '/api/v3/message/list',
    '/api/v3/message/detail',
    '/api/v3/message/unread_count',
    '/api/v3/account/list',
    '/api/v3/hosting/received',
  ],
  alarm: [
    '/api/v3/alarm/list',
    '/api/v3/alarm/detail',
    '/api/v3/alarm/stat',
    '/api/v3/alarm_notice/list',
    '/api/v3/alarm_silence/detail',
    '/api/v3/user_stat/complex',
  ],
  onboarding: ['/api/v3/device/onboarding'],
};

/** Have their own pauses. */
const withClients: ReadonlySet<unknown> = new Set<ApiPath>([
  '/api/v3/network/list',
  '/api/v3/network/detail',
  '/api/v3/ap/list',
  '/api/v3/ap/detail',
]);

/** Matches its network, or any. */
export function showsClientsOf(queryKey: readonly unknown[], gwids: ReadonlySet<string>): boolean {
  const [, input] = queryKey;
  const gwid = typeof input === 'object' && input !== null && 'gwid' in input ? input.gwid : undefined;
  return typeof gwid !== 'string' || gwids.has(gwid);
}

/** `gwid` undefined: all networks. */
export function changesClients(fact: LiveFact, gwid: string | undefined): boolean {
  if (fact.type === 'clients') return gwid === undefined || fact.gwid === gwid;
  return fact.type === 'job' || fact.type === 'device.status';
}

type ApList = Data<'/api/v3/ap/list'>;

/** Patches the cache and invalidates once per `gatherMs`; client numbers about once a second. */
export function applyFacts(client: QueryClient, gatherMs = 400): (fact: LiveFact) => void {
  const due = new Set<string>();
  let gathering = false;
  const changed = new Set<string>();
  const refetchClients = rateLimited(() => {
    const gwids = new Set(changed);
    changed.clear();
    return client.invalidateQueries({
      predicate: ({ queryKey }) => withClients.has(queryKey[0]) && showsClientsOf(queryKey, gwids),
    });
  });
  return (fact) => {
    if (fact.type === 'clients') {
      changed.add(fact.gwid);
      refetchClients();
      return;
    }
    if (fact.type === 'device.status') patchStatus(client, fact);
    const kind = fact.type.split('.')[0] ?? '';
    for (const path of [...(touched[fact.type] ?? []), ...(kind === fact.type ? [] : (touched[kind] ?? []))])
      due.add(path);
    if (gathering) return;
    gathering = true;
    setTimeout(() => {
      gathering = false;
      const paths = new Set(due);
      due.clear();
      void client.invalidateQueries({ predicate: (query) => paths.has(String(query.queryKey[0])) });
    }, gatherMs);
  };
}

function patchStatus(client: QueryClient, fact: Extract<LiveFact, { type: 'device.status' }>): void {
  client.setQueriesData<ApList>(
    { queryKey: ['/api/v3/ap/list'] },
    // may hold derived values
    (answer) =>
      answer?.list && {
        ...answer,
        list: answer.list.map((row) =>
          row.serial === fact.serial ? { ...row, status: fact.status, status_since: fact.since } : row,
        ),
      },
  );
}
