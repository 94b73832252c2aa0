import { randomInt } from 'node:crypto';
import type { InputOf, sdwan } from '@yunxun/contract';
import { asRecord, type Capabilities, type EdgeCapabilities, throughputLimits } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { compile } from './compile/index.ts';
import type { Site } from './facts.ts';
import type { createNetworks } from './networks.ts';
import { lockNetwork } from './store.ts';

type Contract = typeof sdwan;

export interface ThroughputDeps {
  networks: Pick<ReturnType<typeof createNetworks>, 'drawn'>;
  tools: {
    run(
      tx: Tx,
      acting: Acting,
      asked: { serial: string; tool: 'throughput'; target: string; seconds: number },
      ends: { own: string; peer: string; port: number; udp: boolean; mbps?: number },
    ): Promise<{ id: string; job_id: string }>;
  };
}

export function measures(site: Pick<Site, 'device'> | undefined): boolean {
  const { yunxun } = asRecord<Capabilities>(site?.device?.capabilities);
  return asRecord<EdgeCapabilities['abilities']>(asRecord<EdgeCapabilities>(yunxun).abilities).iperf === true;
}

export function createThroughput({ networks, tools }: ThroughputDeps) {
  return {
    /** @throws Failure notFound, deviceOffline, unsupported; Invalid */
    async start(tx: Tx, acting: Acting, { id, from, to, ...asked }: InputOf<Contract['throughputTest']>) {
      const { seconds = 5, udp = false, mbps } = asked;
      if (udp && mbps === undefined) invalid('mbps', 'validation.required');
      const { plan, sites } = await networks.drawn(tx, await lockNetwork(tx, acting.accountId, id));
      const [own, other] = [from, to].map((end) => plan.nodes.find(({ key }) => key === end));
      if (!own) return invalid('from', 'validation.choice');
      if (!other || other.key === own.key) return invalid('to', 'validation.choice');
      const ends = new Set([from, to]);
      if (!compile(plan).links.some((link) => ends.has(link.from) && ends.has(link.to)))
        throw new Failure('unsupported', { data: { reason: 'no_tunnel' } });
      const [near, far] = [sites.get(from), sites.get(to)];
      if (!near?.device || !far?.device) throw new Failure('notFound');
      for (const site of [near, far])
        if (!measures(site)) throw new Failure('unsupported', { data: { reason: 'no_iperf', gwid: site.gwid } });
      if (!far.online)
        throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
      const { ports } = throughputLimits;
      const test = { own: own.address, peer: far.device.serial, port: randomInt(ports.min, ports.max), udp };
      const aim = { serial: near.device.serial, tool: 'throughput', target: other.address, seconds } as const;
      const { id: run, job_id } = await tools.run(tx, acting, aim, mbps === undefined ? test : { ...test, mbps });
      return { run_id: run, job_id };
    },
  };
}
