import {
  type Capabilities,
  type ConfigurationDocument,
  type ConnectReason,
  type EdgeStateReport,
  unconfiguredUuid,
} from '@yunxun/contract/device';
import type { Box } from '../apply/box.ts';
import { runTool } from '../apply/executor.ts';
import type { Records } from '../apply/records.ts';
import { type Facts, readDocument } from '../document/index.ts';
import type { EdgeFlow } from '../flow/index.ts';
import type { Measures } from '../measure/index.ts';
import { type Plan, render } from '../render/index.ts';
import type * as edge from '../system.ts';
import { capabilitiesOf } from './capabilities.ts';
import { neededTools } from './facts.ts';
import type { EdgeOptions } from './options-file.ts';
import { agentFirmwareName } from './version.ts';

/** What a Linux box is built from. */
export interface LinuxSystemOptions {
  serial: string;
  facts: Facts;
  /** Programs that the box lacks. */
  missing: readonly string[];
  allowed: EdgeOptions;
  box: Box;
  records: Pick<Records, 'applied' | 'returned'>;
  measures: Measures;
  flow: Pick<EdgeFlow, 'configured'>;
  /** What firewalls of others may keep from coming through, in sentences. */
  others(): Promise<readonly string[]>;
  /** A change is over, whichever way: those who measure are told what runs now. */
  settled(): Promise<void>;
  upgrade(uri: string): Promise<edge.ActionResult>;
  trace(params: Readonly<Record<string, unknown>>): Promise<edge.ActionResult>;
  /** Goes down: the box, or (upgrade, factory) the agent alone. */
  restart(cause: ConnectReason): void;
  /** Forgets the configuration and, unless it keeps it, the identity too, and goes down. */
  forget(keepIdentity: boolean): Promise<void>;
  /** The network below the session has changed. */
  moved(): void;
}

const scriptOutput = 64 * 1024;

/** A Linux machine as the protocol client sees it. */
export class LinuxSystem implements edge.DeviceSystem {
  readonly serial: string;
  readonly #options: LinuxSystemOptions;
  #listener: edge.SystemListener | null = null;
  #untried = false;

  constructor(options: LinuxSystemOptions) {
    this.serial = options.serial;
    this.#options = options;
  }

  firmware(): string {
    return agentFirmwareName;
  }

  capabilities(): Capabilities {
    const { facts, missing, allowed } = this.#options;
    return capabilitiesOf(facts, missing, allowed);
  }

  password(): null {
    return null;
  }

  readState(): EdgeStateReport {
    return this.#options.measures.state();
  }

  readHealth(): edge.HealthReport {
    return this.#options.measures.health();
  }

  /**
   * Applies a document as a transaction. One that was taken back before is refused with what was said then: the client
   * offers the newest file again at every start.
   */
  async apply(document: ConfigurationDocument): Promise<edge.ApplyResult> {
    const { facts, box, records, flow, missing, settled, moved, others } = this.#options;
    if (document.uuid === unconfiguredUuid) return { error: 0, rejected: [] };
    const known = records.returned;
    const runs = records.applied.uuid === document.uuid;
    if (known?.uuid === document.uuid && !runs) return refused([`[E] (In /) ${known.reason}`]);
    const absent = neededTools.filter((name) => missing.includes(name));
    if (absent.length > 0) return refused([`[E] (In /) this box lacks ${absent.join(' and ')}`]);
    const read = readDocument(document, facts);
    if ('refused' in read) return refused(read.refused);
    let plan: Plan;
    try {
      plan = render(read.document, facts);
    } catch (error) {
      // what the renderer does not take for plain text, or a slip of ours: nothing was touched
      return refused([`[E] (In /) ${error instanceof Error ? error.message : String(error)}`]);
    }
    const outcome = await box.change(plan, document.uuid, read.document.confirmS);
    await settled();
    moved();
    if (!outcome.confirmed && !runs) return refused([`[E] (In /) ${outcome.reason}`]);
    // what runs, rendered anew, could not be tried: it goes on as it was rendered before
    this.#untried = !outcome.confirmed;
    flow.configured(outcome.confirmed ? plan.layout : box.plan.layout, read.document.flowRules);
    const rejected = [...read.rejected, ...(await others())];
    return { error: rejected.length > 0 ? 1 : 0, rejected };
  }

  /** Whether what runs is to be rendered anew and tried once more, now that the console is there; said once. */
  takeUntried(): boolean {
    const untried = this.#untried;
    this.#untried = false;
    return untried;
  }

  upgrade(uri: string): Promise<edge.ActionResult> {
    return this.#options.upgrade(uri);
  }

  mayRestart(): edge.ActionResult {
    if (this.#options.allowed.reboot) return { error: 0, text: 'Success' };
    return { error: 2, text: 'the owner of this box does not let the console restart it (options.json)' };
  }

  restart(cause: ConnectReason): void {
    this.#options.restart(cause);
  }

  factory(keepRedirector: boolean): void {
    void this.#options.forget(keepRedirector);
  }

  leds(): edge.ActionResult {
    return { error: 1, text: 'this box has no lights to switch' };
  }

  async runScript({ type, body, timeoutSeconds }: edge.ScriptRequest): Promise<edge.ScriptResult> {
    if (!this.#options.allowed.scripts) {
      return { error: 1, result: 'the owner of this box does not let the console run scripts (options.json)' };
    }
    if (type !== 'shell') return { error: 1, result: `this box runs no scripts of type ${type}` };
    const timeout = Math.min(Math.max(timeoutSeconds, 1), 600) * 1000;
    const { code, stdout, stderr } = await runTool(['sh', '-s'], { input: body, timeout });
    return { error: code, result: `${stdout}${stderr}`.slice(0, scriptOutput) };
  }

  trace(params: Readonly<Record<string, unknown>>): Promise<edge.ActionResult> {
    return this.#options.trace(params);
  }

  async scan(): Promise<[]> {
    return [];
  }

  packages({ names }: edge.PackageRequest): { name: string; result: null }[] {
    return names.map((name) => ({ name, result: null }));
  }

  /** It has no radios. */
  manageRadios(): void {}

  fingerprints(): Record<string, unknown> {
    return this.#options.measures.fingerprints();
  }

  listen(listener: edge.SystemListener): void {
    this.#listener = listener;
    this.#options.measures.listen(listener);
  }

  /** An event of the agent's own. */
  say(type: string, payload: Record<string, unknown>): void {
    this.#listener?.event(Math.floor(Date.now() / 1000), type, payload);
  }
}

function refused(rejected: readonly string[]): edge.ApplyResult {
  return { error: 2, rejected };
}
