import { type Ownership, portsOf, type Snapshot } from '../apply/ownership.ts';
import type { Executor, Step } from '../apply/step.ts';
import { StepFailed } from '../apply/step.ts';
import { noTable, type Plan } from '../render/plan.ts';
import { dropDevice, dropRoutes, nextHop, removeAddress } from './model-network.ts';

interface ModelLink {
  kind: string;
  master: string | null;
  parent: string | null;
  id: string | null;
  mtu: string;
  mac: string | null;
}

export interface HostState {
  settings: Record<string, string>;
  links: Record<string, ModelLink>;
  addresses: string[];
  routes: Record<string, string>;
  rules: string[];
  nft: string;
  blocked: string;
  files: Record<string, string>;
  daemons: Record<string, string>;
  traffic: Record<string, string[]>;
}

/** Performs steps with the side effects of the real kernel. */
export class HostModel implements Executor {
  state: HostState;
  done = 0;
  readonly disconnected: string[] = [];
  port53: ('take' | 'give')[] = [];
  diesAt = Number.POSITIVE_INFINITY;

  constructor(state: HostState) {
    this.state = structuredClone(state);
  }

  async perform(step: Step): Promise<void> {
    this.do(step);
  }

  do(step: Step): void {
    if (this.done >= this.diesAt) throw new Error('killed');
    this.done += 1;
    const { state } = this;
    switch (step.do) {
      case 'run':
        this.#run(step, [...step.argv]);
        return;
      case 'write':
        state.files[step.path] = step.text;
        return;
      case 'touch':
        state.files[step.path] ??= '';
        return;
      case 'remove':
        delete state.files[step.path];
        return;
      case 'mac':
        this.#setMac(step);
        return;
      case 'sysctl': {
        const device = /conf\/([^/]+)\//.exec(step.path)?.[1];
        if (device !== undefined && state.links[device] === undefined) {
          if (step.optional) return;
          this.#fail(step, 'no such device');
        }
        state.settings[step.path] = step.value;
        return;
      }
      case 'start':
        state.daemons[step.pidFile] ??= step.argv.join(' ');
        return;
      case 'stop':
        delete state.daemons[step.pidFile];
        return;
      case 'disconnect':
        this.disconnected.push(...step.macs);
        return;
      case 'port53':
        this.port53.push(step.op);
    }
  }

  snapshot(plan: Plan): Snapshot {
    const { settings, addresses, links, routes } = this.state;
    const ports = portsOf(plan).flatMap((device) => {
      const link = links[device];
      if (link === undefined) return [];
      const mac = link.mac === null ? {} : { mac: link.mac };
      return [[device, { master: link.master, mtu: Number(link.mtu), ...mac }] as const];
    });
    const defaults: Ownership['aside'][number][] = [];
    for (const [key, value] of Object.entries(routes)) {
      const [table, to, metric] = key.split(' ');
      const [via = '', device = '', protocol = '', source = null] = value.split(' ');
      if (table === '254' && to === 'default' && protocol !== '201') {
        defaults.push({ device, via, metric: Number(metric), protocol, source });
      }
    }
    const asDefault = plan.sysctls.map(({ path }) => [path, '1'] as const);
    return {
      settings: { ...Object.fromEntries(asDefault), ...settings },
      addresses: [...addresses],
      ports: Object.fromEntries(ports),
      defaults,
    };
  }

  #fail(step: Step, detail: string): never {
    throw new StepFailed(step, detail);
  }

  #failUnlessFine(step: Step & { do: 'run' }, kind: 'exists' | 'absent'): void {
    if (step.fine !== kind) this.#fail(step, kind);
  }

  #run(step: Step & { do: 'run' }, argv: string[]): void {
    if (argv[0] === 'nft') {
      this.#nft(step, step.input ?? '');
      return;
    }
    if (argv[0] === 'tc') {
      const runs = argv[1] === '-batch' ? (step.input ?? '').trimEnd().split('\n') : [argv.slice(1).join(' ')];
      for (const line of runs) this.#tc(step, line.split(' '));
      return;
    }
    if (argv[0] !== 'ip') {
      this.#fail(step, `no model of ${argv[0]}`);
      return;
    }
    const words = argv.slice(1).filter((word) => word !== '-4');
    const [object, verb] = words;
    const rest = words.slice(2);
    const value = (name: string) => (rest.includes(name) ? (rest[rest.indexOf(name) + 1] ?? '') : null);
    if (object === 'link' && verb === 'add') {
      this.#addLink(step, value);
      return;
    }
    if (object === 'link' && verb === 'del') {
      this.#deleteLink(step, value('dev') ?? '');
      return;
    }
    if (object === 'link') {
      this.#setLink(step, words, value);
      return;
    }
    if (object === 'addr') {
      this.#address(step, verb === 'add', `${value('dev')} ${words[2]}`);
      return;
    }
    if (object === 'route') {
      this.#route(step, verb ?? '', words[2] ?? '', value, rest.includes('onlink'));
      return;
    }
    if (object === 'rule') {
      this.#rule(step, verb === 'add', words.slice(2).join(' '));
      return;
    }
    this.#fail(step, 'not understood');
  }

  #nft(step: Step, input: string): void {
    const { state } = this;
    const [text = '', elements = ''] = input.split(/^add element inet yunxun blocked /m);
    if (text.startsWith('flush set')) {
      if (state.nft === '') this.#fail(step, 'No such file or directory');
    } else state.nft = text === noTable ? '' : text;
    state.blocked = elements.trim();
  }

  #addLink(step: Step & { do: 'run' }, value: (name: string) => string | null): void {
    const device = value('name') ?? '';
    const parent = value('link');
    const id = value('id');
    if (this.state.links[device] !== undefined) {
      this.#failUnlessFine(step, 'exists');
      return;
    }
    if (parent !== null && this.state.links[parent] === undefined) this.#fail(step, 'no parent');
    const twin = Object.values(this.state.links).some(
      (link) => parent !== null && link.parent === parent && link.id === id,
    );
    if (twin) {
      this.#failUnlessFine(step, 'exists');
      return;
    }
    const mtu = parent === null ? '1500' : (this.state.links[parent]?.mtu ?? '1500');
    const mac = parent === null ? `made for ${device}` : null;
    this.state.links[device] = { kind: value('type') ?? '', master: null, parent, id, mtu, mac };
    this.state.settings[`net/ipv4/conf/${device}/rp_filter`] = '1';
  }

  #deleteLink(step: Step & { do: 'run' }, device: string): void {
    const { state } = this;
    if (state.links[device] === undefined) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    delete state.links[device];
    dropDevice(state, device);
    for (const key of Object.keys(state.traffic)) if (key.startsWith(`${device} `)) delete state.traffic[key];
    for (const path of Object.keys(state.settings)) if (path.includes(`/${device}/`)) delete state.settings[path];
    for (const [name, link] of Object.entries(state.links)) {
      if (link.master === device) link.master = null;
      if (link.parent === device) this.#deleteLink(step, name);
    }
  }

  #setLink(step: Step & { do: 'run' }, words: string[], value: (name: string) => string | null): void {
    const link = this.state.links[value('dev') ?? ''];
    if (link === undefined) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    const master = value('master');
    if (master !== null && this.state.links[master] === undefined) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    if (master !== null) link.master = master;
    if (words.includes('nomaster')) link.master = null;
    const mtu = value('mtu');
    if (mtu === null) return;
    const parent = link.parent === null ? undefined : this.state.links[link.parent];
    if (parent !== undefined && Number(mtu) > Number(parent.mtu)) this.#fail(step, 'Numerical result out of range');
    link.mtu = mtu;
    const above = Object.values(this.state.links).filter((one) => one.parent === value('dev'));
    for (const vlan of above) if (Number(vlan.mtu) > Number(mtu)) vlan.mtu = mtu;
  }

  /** Simulates a driver that needs the device down, which drops its routes. */
  #setMac(step: Step & { do: 'mac' }): void {
    const { device, mac, inherits, fine } = step;
    const link = this.state.links[device];
    if (link === undefined) {
      if (fine !== 'absent') this.#fail(step, 'no such device');
      return;
    }
    const isPresent = (link.mac ?? this.state.links[link.parent ?? '']?.mac) === mac;
    if (!isPresent || inherits) link.mac = mac;
    if (isPresent) return;
    for (const [name, { parent }] of Object.entries(this.state.links))
      if (name === device || parent === device) dropRoutes(this.state, name);
  }

  #address(step: Step & { do: 'run' }, add: boolean, key: string): void {
    const { state } = this;
    const [device = ''] = key.split(' ');
    if (add) {
      if (state.links[device] === undefined) {
        this.#failUnlessFine(step, 'absent');
        return;
      }
      if (state.addresses.includes(key)) {
        this.#failUnlessFine(step, 'exists');
        return;
      }
      state.addresses.push(key);
      return;
    }
    if (!state.addresses.includes(key)) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    removeAddress(state, key);
  }

  #route(
    step: Step & { do: 'run' },
    verb: string,
    to: string,
    value: (name: string) => string | null,
    onlink: boolean,
  ): void {
    const { routes, links } = this.state;
    const [via, asked, source] = [value('via'), value('dev'), value('src')];
    const key = `${value('table') ?? '254'} ${to} ${value('metric') ?? '0'}`;
    const contents = (device: string | null) =>
      [via ?? '-', device ?? '-', value('proto') ?? '', ...(source === null ? [] : [source])].join(' ');
    if (verb === 'del') {
      if (routes[key] !== contents(asked ?? routes[key]?.split(' ')[1] ?? null)) {
        this.#failUnlessFine(step, 'absent');
        return;
      }
      delete routes[key];
      return;
    }
    if (asked !== null && links[asked] === undefined) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    const hop = nextHop(this.state, { via, device: asked, source, onlink });
    if ('error' in hop) this.#fail(step, hop.error);
    if (verb === 'add' && routes[key] !== undefined) {
      this.#failUnlessFine(step, 'exists');
      return;
    }
    routes[key] = contents(hop.device);
  }

  #rule(step: Step & { do: 'run' }, add: boolean, words: string): void {
    const { state } = this;
    const there = state.rules.includes(words);
    if (add && there) {
      this.#failUnlessFine(step, 'exists');
      return;
    }
    if (!add && !there) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    state.rules = add ? [...state.rules, words] : state.rules.filter((rule) => rule !== words);
  }

  #tc(step: Step & { do: 'run' }, words: string[]): void {
    const { traffic, links } = this.state;
    const [object = '', verb = ''] = words;
    const device = words[words.indexOf('dev') + 1] ?? '';
    if (links[device] === undefined) {
      this.#failUnlessFine(step, 'absent');
      return;
    }
    const hook = words.includes('ingress') || words.includes('clsact') || words.includes('ffff:') ? 'ingress' : 'root';
    const key = `${device} ${hook}`;
    if (object === 'qdisc' && verb === 'del') {
      if (traffic[key] === undefined) {
        this.#failUnlessFine(step, 'absent');
        return;
      }
      delete traffic[key];
      return;
    }
    const lines = traffic[key] ?? [];
    if (object === 'qdisc' && words.includes('root') && lines.length > 0) {
      this.#failUnlessFine(step, 'exists');
      return;
    }
    if (object !== 'qdisc' || words.includes('parent')) {
      if (lines.length === 0) this.#fail(step, 'no root');
    }
    const place = words.slice(words.indexOf('dev'), words.indexOf('dev') + (object === 'class' ? 6 : 4)).join(' ');
    const own = `${object} ${place} `;
    if (object === 'class' && verb === 'del') {
      const id = words.at(-1)!;
      const left = lines.filter(
        (line) => !line.includes(` classid ${id} `) && !line.includes(`qdisc dev ${device} parent ${id} `),
      );
      if (left.length === lines.length) this.#failUnlessFine(step, 'absent');
      traffic[key] = left;
      return;
    }
    const text = words.filter((word) => word !== 'add' && word !== 'replace').join(' ');
    traffic[key] = [...lines.filter((line) => line !== text && !(verb === 'replace' && line.startsWith(own))), text];
  }
}
