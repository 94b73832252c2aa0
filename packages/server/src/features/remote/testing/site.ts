import type { Server } from 'node:net';
import { expect } from 'vitest';
import { endDevices } from '../../../../test/conformance/device-client.ts';
import { type As, startTestServer } from '../../../../test/server.ts';
import type { AgentDouble } from './devices.ts';
import { EdgeBox, enrolBox } from './edge-box.ts';

/** Opens sessions, and joins them as their agent when a test says so. */
export class RemoteSite extends EdgeBox {
  static async start(): Promise<RemoteSite> {
    return new RemoteSite(await enrolBox(await startTestServer()));
  }

  async allow(enabled: boolean): Promise<void> {
    const { data } = await this.call<{ version: number }>('remote/settings');
    expect((await this.call('remote/settings/save', { enabled, version: data.version })).code).toBe(2000);
  }

  /** Each of its ports leads to `listener`. */
  async peripheral(ip: string, listener: Server, ports: object): Promise<string> {
    await this.reach(ip, listener);
    return this.register(ip, { name: `Till ${ip}`, type: 'other', ...ports });
  }

  open(target: object, kind: string, as?: As): Promise<string> {
    return this.begin(target, kind, as);
  }

  /** Answers the next command, and joins the session that it names. */
  async join(): Promise<AgentDouble> {
    return this.dial(await this.answer(), this.identity);
  }

  override async stop(): Promise<void> {
    await endDevices();
    await super.stop();
  }
}
