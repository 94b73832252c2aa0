import { parseArgs } from 'node:util';
import { startControl } from './control.ts';
import { startFleet } from './fleet.ts';

const usage = `Simulated access points, gateways and switches for a Yunxun console.

  --console <address>   address of the console (default http://127.0.0.1:8080)
  --code <binding code> required
  --aps <n>             access points (default 20)
  --gateways <n>        gateways (default 2)
  --switches <n>        switches (default 2)
  --seed <text>         another seed is another fleet (default demo)
  --speed-up <n>        reports, boots and visits n times as quick (default 1)
  --folder <path>       keep certificates and configurations here between runs
  --gwid <id>           network to join
  --control <port>      loopback port for faults on command (default: any free one)
`;

const { values } = parseArgs({
  options: {
    console: { type: 'string', default: 'http://127.0.0.1:8080' },
    code: { type: 'string' },
    aps: { type: 'string', default: '20' },
    gateways: { type: 'string', default: '2' },
    switches: { type: 'string', default: '2' },
    seed: { type: 'string', default: 'demo' },
    'speed-up': { type: 'string', default: '1' },
    folder: { type: 'string' },
    gwid: { type: 'string' },
    control: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

function count(name: 'aps' | 'gateways' | 'switches' | 'speed-up' | 'control', least: number): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number >= least) return number;
  process.stderr.write(`--${name} must be a number from ${least} on\n`);
  process.exit(2);
}

if (values.help || values.code === undefined) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const fleet = await startFleet({
  consoleUrl: values.console,
  bindingCode: values.code,
  aps: count('aps', 0),
  gateways: count('gateways', 0),
  switches: count('switches', 0),
  seed: values.seed,
  speedUp: count('speed-up', 0.01),
  ...(values.folder === undefined ? {} : { folder: values.folder }),
  ...(values.gwid === undefined ? {} : { gwid: values.gwid }),
  log: say,
}).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
const control = await startControl(() => [fleet], count('control', 0));
say(`${fleet.devices.length} devices; faults on command at ${control.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    fleet.stop();
    void control.stop();
  });
}
