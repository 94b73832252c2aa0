import { publicProbe } from '@yunxun/contract/uplink-probe';
import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import type { LayoutWan } from './layout.ts';
import { Prober } from './prober.ts';

const line: LayoutWan = { interface: 'up0v0', device: 'wan2', targets: [], everyS: 5, fails: 1, recovers: 1 };
const place = {
  address: '192.168.1.10',
  gateway: '192.168.1.1',
  nameServers: ['192.168.1.1', '9.9.9.9'],
  carrier: true,
};

function proberOf(answering: Set<string>, { targets = [] as string[], at = {} as Partial<typeof place> } = {}) {
  const asked: string[] = [];
  const prober = new Prober({
    clock: systemClock,
    line: { ...line, targets },
    place: () => ({ ...place, ...at }),
    changed: () => {},
    async run(_file, argv) {
      const target = argv.at(-1)!;
      expect(argv.slice(argv.indexOf('-I'))).toEqual(['-I', 'wan2', '-I', '192.168.1.10', target]);
      asked.push(`ping ${target}`);
      return answering.has(`ping ${target}`) ? `64 bytes from ${target}: icmp_seq=1 ttl=64 time=4.5 ms` : null;
    },
    async ask({ address, from }) {
      expect(from).toBe('192.168.1.10');
      asked.push(`dns ${address}`);
      return answering.has(`dns ${address}`) ? { code: 'EREFUSED' } : { code: 'ETIMEOUT' };
    },
  });
  return { prober, asked };
}

it('asks DNS servers and a public address of a gateway without an answer, and first what answered last', async () => {
  const answering = new Set(['ping 192.168.1.1', 'dns 9.9.9.9', `ping ${publicProbe}`]);
  const { prober, asked } = proberOf(answering);
  const round = async () => {
    asked.length = 0;
    await prober.probe();
    return [...asked];
  };
  expect(await round()).toEqual(['ping 192.168.1.1']);
  answering.delete('ping 192.168.1.1');
  expect(await round()).toEqual(['ping 192.168.1.1', 'dns 192.168.1.1', 'dns 9.9.9.9', `ping ${publicProbe}`]);
  expect(await round()).toEqual(['dns 9.9.9.9']);
  expect(prober.word).toMatchObject({ alive: true, lossPct: 0 });
  answering.delete('dns 9.9.9.9');
  answering.delete(`ping ${publicProbe}`);
  await round();
  expect(prober.word).toMatchObject({ alive: false });
});

it('asks only the addresses that are set, and nothing without a gateway', async () => {
  const set = proberOf(new Set(['ping 192.168.1.1']), { targets: ['1.2.3.4', '5.6.7.8'] });
  await set.prober.probe();
  expect(set.asked).toEqual(['ping 1.2.3.4', 'ping 5.6.7.8']);
  expect(set.prober.word).toMatchObject({ alive: false });
  const none = proberOf(new Set(), { at: { gateway: null as never } });
  await none.prober.probe();
  expect(none.asked).toEqual([]);
  expect(none.prober.word).toMatchObject({ alive: false });
});
