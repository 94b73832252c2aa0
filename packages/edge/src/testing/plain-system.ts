import type { ConfigurationDocument, ConnectReason, State } from '@yunxun/contract/device';
import type { ActionResult, ApplyResult, DeviceSystem, SystemListener } from '../system.ts';

export class PlainSystem implements DeviceSystem {
  readonly calls: string[] = [];
  verdicts: ApplyResult[] = [];
  stateBytes = 100;
  running: ConfigurationDocument | null = null;
  restarts: ConnectReason[] = [];
  listener: SystemListener | null = null;
  mayRestart = (): ActionResult => ({ error: 0, text: 'Success' });

  constructor(
    readonly serial: string,
    readonly onRestart: (cause: ConnectReason) => void = () => {},
  ) {}

  firmware = () => 'test-1.0';
  capabilities = () => ({ platform: 'ap' as const, compatible: 'test_box', compress_cmd: true });
  password = () => null;
  readState = (): State => ({ version: 1, exceptions: { padding: 'x'.repeat(this.stateBytes) } });
  readHealth = () => ({ sanity: 100, data: {} });

  async apply(document: ConfigurationDocument): Promise<ApplyResult> {
    this.calls.push(`apply ${document.uuid}`);
    const verdict = this.verdicts.shift() ?? { error: 0, rejected: [] };
    if (verdict.error < 2) this.running = document;
    return verdict;
  }

  async upgrade(uri: string) {
    this.calls.push(`upgrade ${uri}`);
    return { error: 0, text: 'Triggering FW upgrade' };
  }

  restart(cause: ConnectReason): void {
    this.restarts.push(cause);
    this.onRestart(cause);
  }

  factory(keepRedirector: boolean): void {
    this.calls.push(`factory ${keepRedirector}`);
  }

  leds(pattern: string, seconds: number) {
    this.calls.push(`leds ${pattern} ${seconds}`);
    return { error: 0, text: 'Success' };
  }

  async runScript({ body }: { body: string }) {
    return body.includes('state.uc')
      ? { error: 0, result: '', pushes: 'state' as const }
      : { error: 0, result: `ran ${body}` };
  }

  scan = async () => [{ bssid: '02:00:00:00:00:01', ssid: 'neighbour', channel: 6 }];
  packages = ({ names }: { names: readonly string[] }) => names.map((name) => ({ name, result: null }));
  manageRadios = () => {};
  fingerprints = () => ({});

  listen(listener: SystemListener): void {
    this.listener = listener;
  }
}
