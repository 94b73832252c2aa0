import { deflateSync } from 'node:zlib';
import { Firmware, type FirmwareOptions, isTable } from './firmware.ts';
import { int32 } from './flash.ts';
import { inflateFor } from './inflate.ts';
import type { Json } from './json.ts';
import { renderAccessPoint } from './render.ts';
import { runScript } from './scripts.ts';
import { factoryDocument, intervalOf, type Neighbour, sendsRealtime, stockState, withoutCounts } from './stock.ts';

const bufferedEvents = 250;
const compressFrom = 2048;

export const accessPointCapabilities: Json = {
  compatible: 'edgecore_eap102',
  model: 'Edgecore EAP102',
  platform: 'ap',
  version: { ap: { major: 5, minor: 1, patch: 0 }, schema: { major: 5, minor: 1, patch: 0 } },
  network: { wan: ['eth0'], lan: ['eth1'] },
  macaddr: { wan: '903cb3000001', lan: '903cb3000002' },
  wifi: {
    'soc/c000000.wifi': {
      band: ['5G'],
      channels: [36, 40, 44, 48, 149],
      htmode: ['HT20', 'VHT80', 'HE80'],
      tx_ant: 15,
      rx_ant: 15,
    },
    'soc/c000000.wifi+1': {
      band: ['2G'],
      channels: [1, 6, 11],
      htmode: ['HT20', 'HE20', 'HE40'],
      tx_ant: 3,
      rx_ant: 3,
    },
  },
  country_codes: ['CN', 'US'],
  'secure-rtty': true,
  'default-config': true,
  compress_cmd: true,
};

/** Access point client with its quirks (docs/protocol.md). */
export class AccessPoint extends Firmware {
  protected readonly bufferBytes = 32 * 1024;
  /** Unprompted `log` messages. */
  readonly logMessages: string[] = [];
  /** RADIUS frames, which the firmware passes to its captive portal. */
  readonly radius: { radius: string; data: string }[] = [];
  gotRadius: ((frame: { radius: string; data: string }) => void) | undefined;
  readonly actions: string[] = [];
  uuidActive = 0;
  uuidLatest = 0;
  #uuidApplied = 0;
  #compressState = true;
  #backlog: Json[] = [];
  #telemetry = new Map<string, unknown[]>();
  #applying: { uuid: number; id: number }[] = [];
  #reporting: NodeJS.Timeout | undefined;
  behind: readonly Neighbour[] = [];
  /** Reported instead of what the configuration makes, also when asked for. */
  shows: Json | null = null;
  /** The next report has zeros for all counters, while the uptime goes on. */
  zeroOnce = false;
  /** Without those asked for. */
  reportsByClock = 0;

  /** Factory document without a flash. */
  constructor(options: FirmwareOptions) {
    super(options);
    if (this.flash.files.size === 0) {
      this.flash.store(1, factoryDocument);
      this.flash.active = 1;
    }
    if (this.flash.active === this.flash.newest()) {
      this.uuidActive = this.flash.innerUuid(this.flash.active);
      this.#uuidApplied = this.uuidActive;
      this.uuidLatest = this.uuidActive;
    } else this.#init(0);
  }

  get running(): Json {
    return this.flash.files.get(this.flash.active) ?? {};
  }

  protected opened(): void {
    this.#scheduleReport();
    this.notify('connect', {
      serial: this.options.serial,
      firmware: this.options.firmware ?? 'OpenWrt 25.12 / TIP-5.1.0',
      uuid: this.options.recovery ? 0 : this.uuidActive || 1,
      reason: this.bootCause ?? 'socket',
      capabilities: this.options.capabilities ?? accessPointCapabilities,
      ...(this.options.discovery && { discovery: { type: this.options.discovery, updated: 0 } }),
    });
    this.bootCause = undefined;
    for (const event of this.#backlog.splice(0)) this.notify('event', event);
  }

  event(type: string, payload: Json, time = Math.floor(Date.now() / 1000)): void {
    const params = { serial: this.options.serial, data: { event: [time, { type, payload }] } };
    if (this.socket) this.notify('event', params);
    else if (this.#backlog.push(params) > bufferedEvents) this.#backlog.shift();
  }

  /** Requires that the configuration enables the group. */
  realtime(type: string, payload: Json): void {
    if (sendsRealtime(this.running, type.split('.')[0] ?? '')) this.event(type, payload);
  }

  /** `ahead`: seconds; equal seconds repeat a report. */
  reportState(ahead = 0): void {
    this.state(this.shows ?? stockState(this.running, this.behind, Math.floor(Date.now() / 1000) + ahead));
  }

  #scheduleReport(): void {
    clearTimeout(this.#reporting);
    this.#reporting = setTimeout(() => {
      if (!this.socket) return;
      this.reportsByClock += 1;
      this.reportState();
      this.#scheduleReport();
    }, intervalOf(this.running) * 1000).unref();
  }

  state(state: Json, more: Json = {}): void {
    const reported = this.zeroOnce ? withoutCounts(state) : state;
    this.zeroOnce = false;
    const params = { ...more, serial: this.options.serial, uuid: this.uuidActive, state: reported };
    const text = JSON.stringify(params);
    if (!this.#compressState || text.length < compressFrom) {
      this.notify('state', params);
      return;
    }
    this.notify('state', {
      compress_64: deflateSync(text).toString('base64'),
      compress_sz: Buffer.byteLength(text),
    });
  }

  log(log: string, severity: number): void {
    this.logMessages.push(log);
    this.notify('log', { serial: this.options.serial, log, severity });
  }

  remember(type: string, payload: Json): void {
    this.#telemetry.set(type, [...(this.#telemetry.get(type) ?? []), [Math.floor(Date.now() / 1000), payload]]);
  }

  protected handle(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      message = null;
    }
    if (!isTable(message)) {
      this.log('failed to parse command', 2);
      return;
    }
    if (typeof message.radius === 'string') {
      this.radius.push({ radius: message.radius, data: String(message.data) });
      this.gotRadius?.(this.radius.at(-1)!);
      return;
    }
    const method = typeof message.method === 'string' ? message.method : null;
    const params = isTable(message.params) ? message.params : null;
    if (message.jsonrpc !== '2.0' || (method === null && !isTable(message.error)) || (method !== null && !params)) {
      this.log('received invalid jsonrpc call', 3);
      return;
    }
    // an id that is no int32 counts as 0
    if (method !== null && params) this.#run(method, int32(message.id) ?? 0, params);
  }

  #run(method: string, id: number, params: Json): void {
    switch (method) {
      case 'configure':
        this.#configure(id, params);
        break;
      case 'ping':
        this.#reply(id, { error: 0, text: 'Success' }, returnedBy(this.options));
        break;
      case 'reboot':
      case 'factory':
      case 'transfer':
        this.#trigger(method, id, params);
        break;
      case 'leds':
        if (params.pattern === 'blink') this.#status(id, 0, 'success', 0);
        else this.#trigger(method, id, params);
        break;
      case 'rtty':
        this.#status(id, 0, 'Command was executed', 0);
        break;
      case 'request':
        this.#request(id, params);
        break;
      case 'event':
        this.#drain(id, params);
        break;
      case 'telemetry':
        this.#telemetryCommand(id, params);
        break;
      case 'package':
        this.#package(id, params);
        break;
      case 'upgrade':
      case 'script':
      case 'wifiscan':
        this.#task(method, id, params);
        break;
      // `rrm` succeeds silently; unknown methods are not even logged.
    }
  }

  #configure(id: number, outer: Json): void {
    let params = outer;
    if (typeof outer.compress_64 === 'string' && int32(outer.compress_sz) !== null) {
      const inflated = inflateFor(outer.compress_64, outer.compress_sz as number);
      if (!inflated) {
        const text = 'after decode and uncompress, configure message is missing parameters';
        this.#configureReply(id, 0, { error: 1, text });
        return;
      }
      params = inflated;
    }
    const uuid = int32(params.uuid);
    if (uuid === null || typeof params.serial !== 'string' || !isTable(params.config)) {
      this.#configureReply(id, 0, { error: 1, text: 'invalid parameters' });
      return;
    }
    if (typeof params.compress === 'boolean') this.#compressState = params.compress;
    this.flash.store(uuid, params.config);
    this.#init(id);
  }

  /** Whichever was sent last. */
  #init(id: number): void {
    this.uuidActive = 0;
    const newest = this.flash.newest();
    if (newest > 0) {
      const uuid = this.flash.innerUuid(newest);
      if (uuid > 0) {
        this.uuidLatest = uuid;
        this.#apply(newest, uuid, id);
      } else {
        // The firmware passes the last uuid instead of the request id.
        this.#configureReply(this.uuidLatest, 0, { error: 2, text: 'failed to load/parse the configuration' });
        this.flash.files.delete(newest);
      }
    }
    if (this.flash.active) this.uuidActive = this.flash.innerUuid(this.flash.active);
  }

  #apply(name: number, uuid: number, id: number): void {
    if (uuid === this.#uuidApplied) {
      this.#configureReply(id, uuid, { error: 0, text: 'Already applied.' });
      return;
    }
    this.#applying.push({ uuid: name, id });
    if (this.#applying.length === 1) this.#applyNext();
  }

  #applyNext(): void {
    const task = this.#applying[0];
    if (!task) return;
    const { render = renderAccessPoint } = this.options;
    this.afterApplying(() => {
      const config = this.flash.files.get(task.uuid) ?? {};
      const verdict = render(config);
      const uuid = this.flash.innerUuid(task.uuid);
      const text = ['Success', 'Rejects', 'Failed'][verdict.error] as string;
      // A rejected file stays the newest.
      if (verdict.error < 2) {
        this.flash.active = task.uuid;
        this.uuidActive = uuid;
        this.#uuidApplied = uuid;
        this.flash.prune();
        this.#scheduleReport();
      }
      const rejected = verdict.rejected.length > 0 ? { rejected: verdict.rejected } : {};
      this.#configureReply(task.id, uuid, {
        error: verdict.error,
        text,
        ...rejected,
        ...(verdict.withheld && { withheld: verdict.withheld }),
        ...(verdict.port53 && { port53: verdict.port53 }),
      });
      this.#applying.shift();
      this.#applyNext();
    });
  }

  /** A configure with id 0 gets no answer. */
  #configureReply(id: number, uuid: number, status: Json): void {
    if (id !== 0) this.sendJson({ jsonrpc: '2.0', id, result: { serial: this.options.serial, uuid, status } });
  }

  #reply(id: number, status: Json, more: Json = {}): void {
    const result = { serial: this.options.serial, uuid: this.uuidActive, status, ...more };
    this.sendJson({ jsonrpc: '2.0', id, result });
  }

  #status(id: number, error: number, text: string, resultCode: number): void {
    this.#reply(id, { error, text, resultCode });
  }

  #trigger(method: string, id: number, params: Json): void {
    if (typeof params.serial !== 'string') {
      this.#status(id, 1, 'invalid parameters', 1);
      return;
    }
    this.#status(id, 0, 'triggered command action', 0);
    this.later(this.options.actionMs ?? 20_000, () => {
      this.actions.push(method);
      if (method === 'leds') return;
      this.bootCause = method;
      this.socket?.cut();
    });
  }

  #task(method: 'upgrade' | 'script' | 'wifiscan', id: number, params: Json): void {
    if (typeof params.serial !== 'string') {
      this.#status(id, 1, 'invalid parameters', 1);
      return;
    }
    if (method === 'wifiscan') {
      const scan = [{ bssid: '02:00:00:00:00:01', ssid: 'Neighbour', channel: 6, signal: -60 }];
      this.#reply(id, { error: 0, text: 'Success', scan });
      return;
    }
    if (method === 'script' && typeof params.uri === 'string') {
      // uploads get two answers with one id: at the start and the end
      this.#reply(id, { error: 0, result: 'pending' });
      this.#reply(id, { error: 0, result: 'done' });
      return;
    }
    if (method === 'script') {
      const source = Buffer.from(String(params.script ?? ''), 'base64').toString();
      const { status, runs } = runScript(source, this.options, this.running);
      this.#reply(id, status);
      if (runs === 'state') this.reportState();
      if (runs === 'health')
        this.notify('healthcheck', { serial: this.options.serial, uuid: this.uuidActive, sanity: 100, data: {} });
      return;
    }
    this.later(this.options.fetchMs ?? 0, () => {
      this.#reply(id, { error: 0, text: 'Triggering FW upgrade' });
      this.later(this.options.actionMs ?? 20_000, () => {
        this.actions.push(method);
        this.bootCause = method;
        this.socket?.cut();
      });
    });
  }

  #request(id: number, params: Json): void {
    const missing = typeof params.message !== 'string' || typeof params.request_uuid !== 'string';
    const script = { state: 'ustats', healthcheck: 'uhealth' }[String(params.message)];
    if (missing || !script) {
      this.#status(id, 1, 'invalid parameters', 1);
      return;
    }
    this.#status(id, 1, `failed to execute ${script}`, 32_512);
  }

  #drain(id: number, params: Json): void {
    const types = Array.isArray(params.types) ? params.types.map(String) : [...this.#telemetry.keys()];
    const events: Json = {};
    for (const type of types) {
      if (this.#telemetry.has(type)) events[type] = this.#telemetry.get(type);
      this.#telemetry.delete(type);
    }
    this.#reply(id, { error: 0, text: 'Success' }, { events });
  }

  #telemetryCommand(id: number, params: Json): void {
    const interval = int32(params.interval) ?? 0;
    if (interval > 0 && !Array.isArray(params.types)) {
      this.#reply(id, { error: 2, text: 'Invalid Arguments' });
      return;
    }
    this.#reply(id, { error: 0, text: 'Success' });
    // Sent even when empty.
    if (interval > 0) this.notify('telemetry', { serial: this.options.serial, data: {} });
  }

  /** A missing package gets two answers with one id. */
  #package(id: number, params: Json): void {
    if (params.op !== 'list') {
      this.#status(id, 1, 'invalid parameters: unrecognized operation', 1);
      return;
    }
    this.#status(id, 1, 'No such package.', 1);
    this.#reply(id, { text: 'Success' });
  }
}

const returnedBy = ({ returned }: FirmwareOptions): Json => (returned === undefined ? {} : { returned });
