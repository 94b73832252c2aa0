import {
  type Capabilities,
  type ConfigurationDocument,
  type ConnectReason,
  type EdgeStateReport,
  type EdgeWanState,
  unconfiguredUuid,
} from '@yunxun/contract/device';
import type { Collision } from '../apply/collisions.ts';
import { runTool } from '../apply/executor.ts';
import type { GatewayHost } from '../apply/gateway-host.ts';
import type { Records } from '../apply/records.ts';
import type { Captive } from '../captive/index.ts';
import { type Facts, readDocument } from '../document/index.ts';
import { withoutConsole } from '../document/quiet.ts';
import type { EdgeFlow } from '../flow/index.ts';
import type { Measures } from '../measure/index.ts';
import type { Plugins } from '../plugins/index.ts';
import type { Port53 } from '../port53/index.ts';
import type { Remote } from '../remote/index.ts';
import { type Plan, render } from '../render/index.ts';
import type { Sdwan } from '../sdwan/index.ts';
import type { Shield } from '../shield/index.ts';
import type * as edge from '../system.ts';
import { capabilitiesOf } from './capabilities.ts';
import { neededTools } from './facts.ts';
import type { EdgeOptions } from './options-file.ts';
import { agentFirmwareName } from './version.ts';

export interface LinuxSystemOptions {
  serial: string;
  facts: Facts;
  missing: readonly string[];
  allowed: Omit<EdgeOptions, 'remote'>;
  host: GatewayHost;
  records: Pick<Records, 'applied' | 'returned'>;
  measures: Measures;
  flow: Pick<EdgeFlow, 'configured'>;
  /** Null without the ability. */
  sdwan: Pick<Sdwan, 'state'> | null;
  shield: Pick<Shield, 'state' | 'counts'>;
  captive: Pick<Captive, 'state' | 'command'>;
  plugins: Pick<Plugins, 'command' | 'states'>;
  port53: Pick<Port53, 'state' | 'obstacle'>;
  remote: Pick<Remote, 'ability' | 'command'>;
  others(): Promise<readonly string[]>;
  settled(): Promise<void>;
  upgrade(uri: string): Promise<edge.ActionResult>;
  trace(params: Readonly<Record<string, unknown>>): Promise<edge.ActionResult>;
  useTool: NonNullable<edge.DeviceSystem['useTool']>;
  snapshot: NonNullable<edge.DeviceSystem['useTool']>;
  /** Restarts the host, or the agent alone for upgrade and factory. */
  restart(cause: ConnectReason): void;
  /** Whether an unbound gateway leaves out what needs the console. */
  quiet(): boolean;
  forget(keepIdentity: boolean): Promise<void>;
  moved(): void;
}

const scriptOutput = 64 * 1024;

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
    const { facts, missing, allowed, host, quiet, remote } = this.#options;
    const { yunxun, ...capabilities } = capabilitiesOf(facts, missing, allowed, host.macsBefore);
    if (yunxun === undefined) return capabilities;
    const ability = remote.ability();
    const abilities = { ...yunxun.abilities, remote: ability !== null, snapshot: ability !== null };
    const more = { ...(ability && { remote: ability }), ...(quiet() && { quiet: true }) };
    return { ...capabilities, yunxun: { ...yunxun, abilities, ...more } };
  }

  password(): null {
    return null;
  }

  readState(): EdgeStateReport {
    const { host, measures, sdwan, shield, captive, plugins, port53 } = this.#options;
    const report = measures.state();
    const guarded = shield.state();
    const guests = captive.state();
    const more = {
      plugins: plugins.states(),
      port53: port53.state(),
      ...(sdwan ? { sdwan: sdwan.state() } : {}),
      ...(guarded ? { shield: guarded } : {}),
      ...(guests ? { captive: guests } : {}),
    };
    return {
      ...report,
      yunxun: { ...report.yunxun, ...more, lines: withCollisions(report.yunxun.lines, host.collisions) },
    };
  }

  readHealth(): edge.HealthReport {
    return this.#options.measures.health();
  }

  /**
   * Applies as a transaction. A rolled-back document is refused again: the client offers the newest file at every
   * start.
   */
  async apply(document: ConfigurationDocument): Promise<edge.ApplyResult> {
    const { facts, host, records, flow, missing, settled, moved, others, quiet, port53 } = this.#options;
    if (document.uuid === unconfiguredUuid) return { error: 0, rejected: [] };
    const known = records.returned;
    const runs = records.applied.uuid === document.uuid;
    if (known?.uuid === document.uuid && !runs) return refused([`[E] (In /) ${known.reason}`]);
    const absent = neededTools.filter((name) => missing.includes(name));
    if (absent.length > 0) return refused([`[E] (In /) this gateway lacks ${absent.join(' and ')}`]);
    const read = readDocument(quiet() ? withoutConsole(document) : document, facts);
    if ('refused' in read) return refused(read.refused);
    let plan: Plan;
    try {
      plan = render(read.document, facts);
    } catch (error) {
      // refused by the renderer, before any change
      return refused([`[E] (In /) ${error instanceof Error ? error.message : String(error)}`]);
    }
    // ours keeps the place once it has it
    const serves = host.plan.dnsmasq !== null || plan.dnsmasq === null;
    const obstacle = serves ? null : await port53.obstacle(plan.dnsmasq?.takes === true);
    if (obstacle !== null) return { ...refused([`[E] (In /) ${obstacle.text}`]), port53: obstacle.code };
    const outcome = await host.change(plan, document.uuid, read.document.confirmS);
    await settled();
    moved();
    if (!outcome.confirmed && !runs) return refused([`[E] (In /) ${outcome.reason}`]);
    // an unverified re-rendering leaves the previous one active
    this.#untried = !outcome.confirmed;
    flow.configured(outcome.confirmed ? plan.layout : host.plan.layout, read.document.flowRules);
    const warnings = outcome.confirmed ? (outcome.warnings ?? []) : [];
    const { collisions } = host;
    const rejected = [
      ...read.rejected,
      ...[...warnings, ...collisions.map(withheldText)].map((text) => `[W] (In /) ${text}`),
      ...(await others()),
    ];
    const withheld = [...new Set(collisions.map(({ lan }) => lan))];
    return { error: rejected.length > 0 ? 1 : 0, rejected, ...(withheld.length > 0 && { withheld }) };
  }

  returnedUuid(): number {
    return this.#options.records.returned?.uuid ?? 0;
  }

  /** Whether the active document must be rendered and verified again, now with the console. */
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
    return { error: 2, text: 'the owner of this gateway does not let the console restart it (options.json)' };
  }

  restart(cause: ConnectReason): void {
    this.#options.restart(cause);
  }

  factory(keepRedirector: boolean): void {
    void this.#options.forget(keepRedirector);
  }

  leds(): edge.ActionResult {
    return { error: 1, text: 'this gateway has no lights to switch' };
  }

  async runScript({ type, body, timeoutSeconds }: edge.ScriptRequest): Promise<edge.ScriptResult> {
    if (!this.#options.allowed.scripts) {
      return { error: 1, result: 'the owner of this gateway does not let the console run scripts (options.json)' };
    }
    if (type !== 'shell') return { error: 1, result: `this gateway runs no scripts of type ${type}` };
    const timeout = Math.min(Math.max(timeoutSeconds, 1), 600) * 1000;
    const { code, stdout, stderr } = await runTool(['sh', '-s'], { input: body, timeout });
    return { error: code, result: `${stdout}${stderr}`.slice(0, scriptOutput) };
  }

  trace(params: Readonly<Record<string, unknown>>): Promise<edge.ActionResult> {
    return this.#options.trace(params);
  }

  useTool(params: Readonly<Record<string, unknown>>): ReturnType<LinuxSystemOptions['useTool']> {
    const { measures } = this.#options;
    if (params.tool === 'watch') return Promise.resolve(measures.watch(params));
    if (params.tool === 'scan') return Promise.resolve(measures.scan(params));
    if (params.tool === 'wake') return measures.wake(params);
    if (params.tool === 'shield') return Promise.resolve(this.#options.shield.counts(params));
    if (params.tool === 'captive') return this.#options.captive.command(params);
    if (params.tool === 'plugin') return this.#options.plugins.command(params);
    if (params.tool === 'snapshot') return this.#options.snapshot(params);
    if (params.tool === 'remote') return this.#options.remote.command(params);
    return this.#options.useTool(params);
  }

  async scan(): Promise<[]> {
    return [];
  }

  packages({ names }: edge.PackageRequest): { name: string; result: null }[] {
    return names.map((name) => ({ name, result: null }));
  }

  manageRadios(): void {}

  fingerprints(): Record<string, unknown> {
    return this.#options.measures.fingerprints();
  }

  listen(listener: edge.SystemListener): void {
    this.#listener = listener;
    this.#options.measures.listen(listener);
  }

  say(type: string, payload: Record<string, unknown>): void {
    this.#listener?.event(Math.floor(Date.now() / 1000), type, payload);
  }
}

function withheldText({ lan, line, subnet }: Collision): string {
  return `${lan} has no address: ${line} has an address or a router in ${subnet}`;
}

function withCollisions(wans: readonly EdgeWanState[], collisions: readonly Collision[]): EdgeWanState[] {
  return wans.map((wan) => {
    const collision = collisions.find((one) => one.line === wan.interface);
    return collision === undefined ? wan : { ...wan, collides: collision.subnet };
  });
}

function refused(rejected: readonly string[]): edge.ApplyResult {
  return { error: 2, rejected };
}
