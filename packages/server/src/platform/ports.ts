import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { type Config, ConfigError } from './config.ts';
import { type ListenSetting, listenError } from './listen.ts';

interface Wanted {
  setting: ListenSetting;
  port: number;
  kind: 'tcp' | 'udp';
  /** What is missing without it; null: the program does not start without it. */
  without: string | null;
}

/**
 * Looks whether this program's ports are free, before anything else starts.
 * @returns a sentence for each default port whose service is left out
 * @throws ConfigError that names every taken port which is needed
 */
export async function checkPorts(config: Config): Promise<string[]> {
  const problems: { sentence: string; needed: boolean }[] = [];
  for (const one of portsOf(config)) {
    const at = { host: config.host, port: one.port };
    const error = await (one.kind === 'tcp' ? tryTcp(at) : tryUdp(at));
    if (!error) continue;
    const sentence = listenError(one.setting, at, error).message;
    problems.push({ sentence: one.without ? `${sentence} ${one.without}` : sentence, needed: one.without === null });
  }
  const needed = problems.filter((one) => one.needed).map(({ sentence }) => sentence);
  if (needed.length > 0) throw new ConfigError(needed.join('\n'));
  return problems.map(({ sentence }) => sentence);
}

function portsOf(config: Config): Wanted[] {
  const has = (role: Config['roles'][number]) => config.roles.includes(role);
  const { httpPort, devicePort, portalPort, radiusAuthPort: auth, radiusAcctPort: acct } = config;
  const noGuests = config.portalPortIsChosen ? null : 'Until then guests see no sign-in pages.';
  const noRadius = 'Until then RADIUS is not served.';
  const wanted: (Wanted | false)[] = [
    { setting: 'YUNXUN_HTTP_PORT', port: httpPort, kind: 'tcp', without: null },
    has('gateway') && { setting: 'YUNXUN_DEVICE_PORT', port: devicePort, kind: 'tcp', without: null },
    has('gateway') && {
      setting: 'YUNXUN_REMOTE_PORT',
      port: config.remotePort,
      kind: 'tcp',
      without: config.remotePortIsChosen ? null : 'Until then there is no remote access.',
    },
    has('portal') && { setting: 'YUNXUN_PORTAL_PORT', port: portalPort, kind: 'tcp', without: noGuests },
    has('radius') &&
      auth !== null && {
        setting: 'YUNXUN_RADIUS_AUTH_PORT',
        port: auth.port,
        kind: 'udp',
        without: auth.isChosen ? null : noRadius,
      },
    has('radius') &&
      acct !== null && {
        setting: 'YUNXUN_RADIUS_ACCT_PORT',
        port: acct.port,
        kind: 'udp',
        without: acct.isChosen ? null : noRadius,
      },
  ];
  return wanted.filter((one) => one !== false).filter(({ port }) => port !== 0);
}

function tryTcp(at: { host: string; port: number }): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(at, () => server.close(() => resolve(null)));
  });
}

function tryUdp({ host, port }: { host: string; port: number }): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', resolve);
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(null)));
  });
}
