import { type HostLab, type LabHost, startHost } from './host.ts';
import { gatewayOf, type SdwanSites, type Site, siteNames, sites, startSdwanSites } from './sdwan-sites.ts';

export interface SdwanLab extends Pick<SdwanSites, 'run' | 'reaches' | 'pings'> {
  hosts: Readonly<Record<Site, LabHost>>;
  stop(): Promise<void>;
  logText(): string;
}

/** Sites with the agent, each enrolled at a console of this process. */
export async function startSdwanLab(): Promise<SdwanLab> {
  const lab = await startSdwanSites();
  const { prefix, run, attempt, start, reaches, pings } = lab;
  const hosts = {} as Record<Site, LabHost>;
  for (const site of siteNames) {
    const at: HostLab = {
      prefix: `${prefix}${site}`,
      console: lab.console,
      run: (_, file, ...args) => run(site, file, ...args),
      try: (_, file, ...args) => attempt(site, [file, ...args]),
      start: (_, file, args, options) => start(site, [file, ...args], options?.env),
    };
    hosts[site] = await startHost(at, {
      tunnels: true,
      async uplink() {
        await run(site, 'ip', 'addr', 'add', `${sites[site].wan}/24`, 'dev', 'wan1');
        await run(site, 'ip', 'route', 'add', 'default', 'via', gatewayOf(site));
      },
    });
  }

  return {
    hosts,
    run,
    reaches,
    pings,
    logText: () => siteNames.map((site) => `${site}: ${hosts[site].logText()}`).join('\n'),
    async stop() {
      for (const site of siteNames) await hosts[site].stop();
      await lab.stop();
    },
  };
}
