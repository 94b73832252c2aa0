import type { QueryClient } from '@tanstack/react-query';
import type { LiveFact } from '@yunxun/contract';
import type { ApiPath, Data } from './api.ts';

/** What is written down with most changes. */
const log = '/api/v3/log/action/list';

/** Answers that a fact makes old, by its type or the first part of it. */
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
  // hosting and invitations come with a message
  message: [
    '/api/v3/message/list',
    '/api/v3/message/detail',
    '/api/v3/message/unread_count',
    '/api/v3/account/list',
    '/api/v3/hosting/received',
  ],
  onboarding: ['/api/v3/device/onboarding'],
};

type ApList = Data<'/api/v3/ap/list'>;

/**
 * Applies facts to the cache: what the fact itself says is patched at once, whatever else it makes old is read again,
 * at most once per `gatherMs` however many facts arrive.
 */
export function applyFacts(client: QueryClient, gatherMs = 400): (fact: LiveFact) => void {
  const due = new Set<string>();
  let gathering = false;
  return (fact) => {
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
    // below the same name there may be what was made of lists
    (answer) =>
      answer?.list && {
        ...answer,
        list: answer.list.map((row) =>
          row.serial === fact.serial ? { ...row, status: fact.status, status_since: fact.since } : row,
        ),
      },
  );
}
