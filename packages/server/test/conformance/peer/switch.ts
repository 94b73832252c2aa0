import { Firmware, isTable, type Json } from './firmware.ts';
import { int32 } from './flash.ts';

/** Capabilities of an eight-port switch; no `compress_cmd`. */
export const switchCapabilities: Json = {
  compatible: 'edgecore_ecs4150',
  model: 'Edgecore ECS4150',
  platform: 'switch',
  version: { switch: { major: 5, minor: 0, patch: 0 }, schema: { major: 5, minor: 0, patch: 0 } },
  network: { wan: [], lan: ['Ethernet0', 'Ethernet1', 'Ethernet2', 'Ethernet3'] },
};

/** The switch client: large buffer, no compression, and Success for whatever it does not know. */
export class Switch extends Firmware {
  protected readonly bufferBytes = 4 * 1024 * 1024;
  readonly actions: string[] = [];

  /** The last uuid it was sent since it started, applied or not: `state` carries this one, 0 after a start. */
  #uuidLatest = 0;

  get uuidActive(): number {
    return this.flash.active || 1;
  }

  protected opened(): void {
    const { serial, firmware = 'ECS4150-TIP-5.0.0', capabilities = switchCapabilities } = this.options;
    // No `reason`; the cause of the start is an event right after, often without a clock.
    this.notify('connect', { serial, firmware, uuid: this.uuidActive, capabilities });
    const payload = { description: this.bootCause ?? 'unknown' };
    this.notify('event', { serial, data: { event: [0, { type: 'device.reboot', payload }] } });
    this.bootCause = undefined;
  }

  /** State is never compressed, and names the last configuration it was sent, even a rejected one. */
  state(state: Json): void {
    this.notify('state', { serial: this.options.serial, uuid: this.#uuidLatest, state });
  }

  health(sanity: number): void {
    this.notify('healthcheck', { serial: this.options.serial, uuid: this.uuidActive, sanity, data: { messages: [] } });
  }

  alarm(data: Json): void {
    this.notify('alarm', { serial: this.options.serial, data });
  }

  protected handle(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (!isTable(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return;
    const id = int32(message.id) ?? 0;
    const params = isTable(message.params) ? message.params : {};
    if (message.method === 'configure') {
      this.#configure(id, params);
      return;
    }
    this.#reply(id, 0, 'Success');
    if (!['reboot', 'factory', 'upgrade'].includes(message.method)) return;
    this.later(this.options.actionMs ?? 20_000, () => {
      this.actions.push(String(message.method));
      this.bootCause = String(message.method);
      this.socket?.cut();
    });
  }

  #configure(id: number, params: Json): void {
    const uuid = int32(params.uuid);
    if (uuid === null || typeof params.serial !== 'string' || !isTable(params.config)) {
      this.#reply(id, 2, 'invalid parameters', 0);
      return;
    }
    const { config } = params;
    this.#uuidLatest = uuid;
    this.later(this.options.applyMs ?? 0, () => {
      const verdict = this.options.render?.(config) ?? { error: 0, rejected: [] };
      if (verdict.error < 2) {
        this.flash.store(uuid, config);
        this.flash.active = uuid;
      }
      // No `rejected`: what went wrong is in the text. A lower uuid is applied like any other.
      this.#reply(id, verdict.error < 2 ? 0 : 2, verdict.rejected.join('\n'), uuid);
    });
  }

  #reply(id: number, error: number, text: string, uuid = this.uuidActive): void {
    this.sendJson({ jsonrpc: '2.0', id, result: { serial: this.options.serial, uuid, status: { text, error } } });
  }
}
