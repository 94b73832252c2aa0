import { Firmware, isTable } from './firmware.ts';
import { int32 } from './flash.ts';
import type { Json } from './json.ts';

/** Eight-port switch; no `compress_cmd`. */
export const switchCapabilities: Json = {
  compatible: 'edgecore_ecs4150',
  model: 'Edgecore ECS4150',
  platform: 'switch',
  version: { switch: { major: 5, minor: 0, patch: 0 }, schema: { major: 5, minor: 0, patch: 0 } },
  network: { wan: [], lan: ['Ethernet0', 'Ethernet1', 'Ethernet2', 'Ethernet3'] },
};

/** Switch client: large buffer, no compression, Success for unknown commands. */
export class Switch extends Firmware {
  protected readonly bufferBytes = 4 * 1024 * 1024;
  readonly actions: string[] = [];

  /** Last uuid received since the start, applied or not; `state` reports it, 0 after a start. */
  #uuidLatest = 0;

  get uuidActive(): number {
    return this.flash.active || 1;
  }

  protected opened(): void {
    const { serial, firmware = 'ECS4150-TIP-5.0.0', capabilities = switchCapabilities } = this.options;
    // No `reason`; the boot cause follows as an event, often without a time.
    this.notify('connect', { serial, firmware, uuid: this.uuidActive, capabilities });
    const payload = { description: this.bootCause ?? 'unknown' };
    this.notify('event', { serial, data: { event: [0, { type: 'device.reboot', payload }] } });
    this.bootCause = undefined;
  }

  /** Never compressed; names the last received configuration, even a rejected one. */
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
    this.afterApplying(() => {
      const verdict = this.options.render?.(config) ?? { error: 0, rejected: [] };
      if (verdict.error < 2) {
        this.flash.store(uuid, config);
        this.flash.active = uuid;
      }
      // No `rejected`: errors are in the text. A lower uuid is applied too.
      this.#reply(id, verdict.error < 2 ? 0 : 2, verdict.rejected.join('\n'), uuid);
    });
  }

  #reply(id: number, error: number, text: string, uuid = this.uuidActive): void {
    this.sendJson({ jsonrpc: '2.0', id, result: { serial: this.options.serial, uuid, status: { text, error } } });
  }
}
