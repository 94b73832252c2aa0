import type { Duplex } from 'node:stream';
import type { RemoteSize } from '@yunxun/contract/device';
import { holds, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import { type ActionResult, type Clock, createRemote, type Identity, type Remote, TargetRefused } from '@yunxun/edge';
import type { Box } from '../box/box.ts';
import { EdgeGatewayBox } from '../box/edge-gateway.ts';
import { FileTree } from './file-tree.ts';
import { RttyClient, readRttyRequest } from './rtty-client.ts';
import { SimulatedScreen } from './screen.ts';
import { SimulatedShell } from './shell.ts';
import { SimulatedTelnet } from './telnet.ts';
import { openWebPage } from './web-page.ts';

export interface SimulatedRemoteOptions {
  box: Box;
  clock: Clock;
  checkHost: boolean;
  identity(): Identity;
}

const size: RemoteSize = { columns: 80, rows: 24 };
const telnetPort = 23;
const vncPort = 5900;
const webPort = 80;
const hostName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');

/** An access point runs one rtty at a time. */
export class SimulatedRemote {
  readonly #options: SimulatedRemoteOptions;
  readonly #agent: Remote;
  #rtty: RttyClient | null = null;
  #files: FileTree | null = null;

  constructor(options: SimulatedRemoteOptions) {
    this.#options = options;
    this.#agent = createRemote({
      ...options,
      allowed: () => true,
      noShell: () => null,
      openTerminal: async (asked) => {
        const shell = this.#shell(asked);
        return {
          input: shell,
          output: shell,
          resize: (next) => shell.resize(next),
          files: async (request) => {
            this.#files ??= this.#tree();
            const action = this.#files.act(request, shell.isSignedIn);
            const end = () => void action.close();
            shell.once('close', end);
            action.output.once('close', () => shell.off('close', end));
            return action;
          },
          close: async () => void shell.destroy(),
        };
      },
      connect: async (authority) => this.#connect(authority),
      log: () => {},
    });
  }

  agent(params: Readonly<Record<string, unknown>>): Promise<ActionResult> {
    return this.#agent.command(params);
  }

  rtty(params: Readonly<Record<string, unknown>>): ActionResult {
    const { clock, checkHost, identity } = this.#options;
    const request = readRttyRequest(params);
    if (request === null) return { error: 2, text: 'Invalid parameters.' };
    this.#rtty?.stop();
    this.#rtty = new RttyClient(request, {
      clock,
      checkHost,
      identity: identity(),
      newShell: () => this.#shell(size),
    });
    return { error: 0, text: 'Command was executed' };
  }

  close(): void {
    this.#rtty?.stop();
    this.#rtty = null;
    void this.#agent.close();
  }

  #tree(): FileTree {
    const { box, clock } = this.#options;
    const subnet = box instanceof EdgeGatewayBox ? box.subnet() : '192.168.1.1/24';
    return new FileTree({ clock, name: hostName(box.hardware.model), subnet, bootedMs: box.bootedMs });
  }

  #shell(asked: RemoteSize, name = this.#options.box.hardware.model): SimulatedShell {
    const { box, clock } = this.#options;
    const host = hostName(name);
    const system = `Linux ${host} 6.6.0 simulated`;
    return new SimulatedShell({ clock, name: host, system, bootedMs: box.bootedMs, size: asked });
  }

  /** Each host of the LAN is a camera with a page and Telnet, and a till with a screen. */
  #connect(authority: string): Duplex {
    const { box } = this.#options;
    const [host = '', port] = authority.split(':');
    const address = readAddress(host);
    const lan = box instanceof EdgeGatewayBox ? readSubnet(box.subnet()) : null;
    if (address === null || lan === null || !holds(lan, address) || address === lan.address)
      throw new TargetRefused(403, 'the target is not a host of a LAN of this gateway');
    if (Number(port) === vncPort) return new SimulatedScreen();
    if (Number(port) === webPort) return openWebPage(`host-${address % 256}`);
    if (Number(port) !== telnetPort) throw new TargetRefused(502, 'ECONNREFUSED');
    return new SimulatedTelnet(this.#shell(size, `host-${address % 256}`));
  }
}
