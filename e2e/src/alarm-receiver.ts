import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedNotice {
  type: string;
  alarms: { event: string; kind: string; level: string; devices_hit: number }[];
}

export interface AlarmReceiver {
  url: string;
  bodies: ReceivedNotice[];
  /** `opened uplink_lost` and the like, in order. */
  events(): string[];
  stop(): void;
}

export async function startAlarmReceiver(): Promise<AlarmReceiver> {
  const bodies: ReceivedNotice[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    bodies.push(JSON.parse(body) as ReceivedNotice);
    response.writeHead(200).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    bodies,
    events: () => bodies.flatMap(({ alarms }) => alarms.map(({ event, kind }) => `${event} ${kind}`)),
    stop: () => void server.close(),
  };
}

/** To everything, at once. */
export const subscriptionTo = (receiver: Pick<AlarmReceiver, 'url'>, more: object = {}) => ({
  name: 'On-call',
  enabled: true,
  locale: 'en',
  levels: ['FATAL', 'MIDDLE', 'GENERAL'],
  kinds: [],
  scope: { type: 'all', ids: [] },
  members: [],
  member_channels: [],
  schedule: [],
  quiet: null,
  digest_minutes: 0,
  repeat_hours: 0,
  recovery: true,
  endpoints: [{ type: 'webhook', url: receiver.url }],
  ...more,
});
