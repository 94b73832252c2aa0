import { type BoxLab, type LabBox, startBox } from './box.ts';
import { gatewayOf, type SdwanSites, type Site, siteNames, sites, startSdwanSites } from './sdwan-sites.ts';

export interface SdwanLab extends Pick<SdwanSites, 'run' | 'reaches' | 'pings'> {
  boxes: Readonly<Record<Site, LabBox>>;
  stop(): Promise<void>;
  logText(): string;
}

/** Sites with the agent, each enrolled at a console of this process. */
export async function startSdwanLab(): Promise<SdwanLab> {
  const lab = await startSdwanSites();
  const { prefix, run, attempt, start, reaches, pings } = lab;
  const boxes = {} as Record<Site, LabBox>;
  for (const site of siteNames) {
    const at: BoxLab = {
      ...{ prefix: `${prefix}${site}`, console: lab.console },
      run: (_, file, ...args) => run(site, file, ...args),
      try: (_, file, ...args) => attempt(site, [file, ...args]),
      start: (_, file, args, options) => start(site, [file, ...args], options?.env),
    };
    boxes[site] = await startBox(at, {
      tunnels: true,
      async uplink() {
        await run(site, 'ip', 'addr', 'add', `${sites[site].wan}/24`, 'dev', 'wan1');
        await run(site, 'ip', 'route', 'add', 'default', 'via', gatewayOf(site));
      },
    });
  }

  return {
    ...{ boxes, run, reaches, pings },
    logText: () => siteNames.map((site) => `${site}: ${boxes[site].logText()}`).join('\n'),
    async stop() {
      for (const site of siteNames) await boxes[site].stop();
      await lab.stop();
    },
  };
}
