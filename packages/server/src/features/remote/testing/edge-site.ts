import { expect } from 'vitest';
import type { TestServer } from '../../../../test/server.ts';
import type { AgentDouble } from './devices.ts';
import { EdgeBox, enrolBox } from './edge-box.ts';

/** Opens sessions that its agent joins, in a server of the test's. */
export class EdgeSite extends EdgeBox {
  /** `program`: of the process to which devices connect. */
  static async open(server: TestServer, program = server.program): Promise<EdgeSite> {
    return new EdgeSite(await enrolBox(server, program));
  }

  async peripheral(ip: string, more: object): Promise<{ peripheral_id: string }> {
    return { peripheral_id: await this.register(ip, { name: `Camera ${ip}`, type: 'camera', ...more }) };
  }

  async open(target: object, kind: string): Promise<{ id: string; agent: AgentDouble }> {
    const id = await this.begin(target, kind);
    const agent = await this.dial(await this.answer(), this.identity);
    expect(JSON.parse(agent.line)).toEqual({ ok: true });
    return { id, agent };
  }
}
