import {
  deviceLimits,
  edgeRenewMethod,
  normaliseSerial,
  recoveryUuid,
  takesCompressedCommands,
} from '@yunxun/contract/device';
import type { WebSocket } from 'ws';
import { CommandChannel } from './channel.ts';
import { readConnect } from './connect.ts';
import { writeEnd } from './ends.ts';
import { Flow } from './flow.ts';
import type { DeviceProfile } from './frame.ts';
import { handleMessage, handleReport } from './messages.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { DeviceRef, DisconnectReason, Link, ReportDigest } from './ports.ts';
import { type Received, receive } from './receive.ts';
import { shouldRenew } from './renewal.ts';
import { answerCommands } from './rpc.ts';
import type { SessionContext } from './session-context.ts';
import { looksLikeState } from './sniff.ts';
import { factSubject, type SessionOrder, tellSession } from './subjects.ts';

/** A peer that does not answer our close frame is cut off after this, milliseconds. */
const closeGrace = 2000;

/** So many state reports of a device are read at a time: each may swell, and what it came to is paid for afterwards. */
const mostReports = 4;

type Message = Extract<Received, { kind: 'message' }>;

/** What waits for its turn: a frame that looks like a state report, a message, or a report that is committed. */
type Entry = { at: Date; bytes: number } & (
  | { what: 'frame'; frame: Buffer }
  | { what: 'message'; message: Message; frame: Buffer | null }
  | { what: 'report'; report: ReportDigest }
);

/** One open connection of a device: frames in, commands out, from the upgrade to the end. */
export class Session {
  readonly device: DeviceRef;
  readonly peer: PeerIdentity;
  readonly address: string;
  readonly channel: CommandChannel;
  /** When the last frame came, pings included; milliseconds. */
  lastFrameAt: number;
  /** When the socket was opened; milliseconds. */
  readonly openedAt: number;
  link: Link | null = null;
  profile: DeviceProfile = { platform: null, compresses: false, recovery: false };
  /** When a quiet device was asked whether it is there, milliseconds. */
  #askedAt: number | null = null;

  readonly #context: SessionContext;
  readonly #socket: WebSocket;
  readonly #inbox: Entry[] = [];
  /** What is on its way to being committed. */
  readonly #unkept = new Set<Promise<unknown>>();
  /** Of it, the reports. */
  readonly #reporting = new Set<Promise<unknown>>();
  readonly #flow: Flow;
  /** When the socket was last found not to be read, milliseconds: nothing can be heard then. */
  #deafAt = 0;
  #working: Promise<void> | null = null;
  #ending: DisconnectReason | null = null;
  #ended: Promise<void> | null = null;
  #releases: (() => void)[] = [];

  constructor(context: SessionContext, socket: WebSocket, peer: PeerIdentity, accountId: string, address: string) {
    this.#context = context;
    this.#socket = socket;
    this.peer = peer;
    this.address = address;
    this.device = { accountId, serial: peer.serial };
    this.openedAt = context.clock.now().getTime();
    this.lastFrameAt = this.openedAt;
    this.channel = new CommandChannel({
      serial: peer.serial,
      profile: () => this.profile,
      send: (frame) => socket.send(frame),
      unexpected: (id) => {
        context.metrics.dropped.inc({ why: 'reply' });
        context.log.debug({ serial: peer.serial, id }, 'reply that nobody waits for');
      },
    });
    this.#flow = new Flow({
      room: context.room,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      now: () => performance.now(),
    });
    context.registry.add(this);
    // nodebuffer is the default: one Buffer, whatever the frame's type
    socket.on('message', (data) => this.#onFrame(data as Buffer));
    socket.on('ping', () => this.#alive());
    socket.on('pong', () => this.#alive());
    socket.on('error', (error) => this.#onError(error));
    socket.on('close', () => {
      this.#ending ??= 'closed';
      this.#ended ??= this.#finish();
    });
  }

  /**
   * Pings a device that has been silent for a third of `silence` milliseconds, for some clients ping seldom, and all
   * answer; ends its session when it has not in the rest of it. Nobody is given up unasked: after a clock that jumped or
   * a host that slept, all would be at once. One that has not said `connect` within `connect` milliseconds is refused.
   * Asked for all sessions now and then, which costs less than a timer of each.
   */
  check(now: number, { silence, connect }: { silence: number; connect: number }): void {
    if (!this.link && !this.#ending && now - this.openedAt > connect) {
      const { address, peer } = this;
      this.#context.refuse({ address, serial: peer.serial, reason: 'no-connect', detail: null });
      this.end('protocol');
      return;
    }
    if (this.#flow.paused) this.#deafAt = now;
    const quiet = now - Math.max(this.lastFrameAt, this.#deafAt);
    if (quiet <= silence / 3) this.#askedAt = null;
    else if (this.#askedAt !== null) {
      if (now - this.#askedAt >= (silence * 2) / 3) this.end('silent', 1001);
    } else if (this.#socket.readyState === this.#socket.OPEN) {
      this.#askedAt = now;
      this.#socket.ping();
    }
  }

  /** Closes the connection and remembers why. */
  end(reason: DisconnectReason, code = 1008): void {
    if (this.#ending) return;
    this.#ending = reason;
    this.#flow.close();
    this.#socket.close(code, reason);
    const cut = setTimeout(() => this.#socket.terminate(), closeGrace);
    cut.unref();
    this.#socket.once('close', () => clearTimeout(cut));
  }

  /** Until the connection is closed and everything about it is written. */
  async ended(): Promise<void> {
    if (!this.#ended) await new Promise((resolve) => this.#socket.once('close', resolve));
    await this.#ended;
  }

  /** Anything of the device came; frames without content are work too. */
  #alive(bytes = 0): void {
    this.#flow.read(bytes);
    this.#askedAt = null;
    this.lastFrameAt = this.#context.clock.now().getTime();
  }

  #onFrame(data: Buffer): void {
    if (this.#ending) return;
    if (looksLikeState(data)) {
      this.#alive(data.length);
      this.#await({ what: 'frame', frame: data, bytes: data.length, at: new Date(this.lastFrameAt) });
      return;
    }
    const frame = receive(data);
    const bytes = data.length + (frame.inflated ?? 0);
    this.#alive(bytes);
    this.#sort(frame, data, bytes, new Date(this.lastFrameAt));
  }

  #await(entry: Entry): void {
    this.#flow.wait(entry.bytes);
    this.#inbox.push(entry);
    this.#working ??= this.#work();
  }

  #sort(frame: Received, data: Buffer, bytes: number, at: Date): void {
    const { log } = this.#context;
    switch (frame.kind) {
      case 'reply':
        this.channel.reply(frame.id, { result: frame.result });
        return;
      case 'error':
        log.info({ serial: this.peer.serial, code: frame.code, text: frame.message }, 'error from device');
        if (frame.id !== null) this.channel.reply(frame.id, { refused: { code: frame.code, message: frame.message } });
        return;
      case 'invalid':
      case 'radius':
        this.#drop(frame.kind === 'radius' ? 'radius' : frame.why);
        return;
      case 'message':
        // a frame is a part of what was read from the socket, which would be kept with it
        this.#await({ what: 'message', message: frame, frame: frame.method === 'state' ? data : null, bytes, at });
    }
  }

  #drop(why: string): void {
    this.#context.metrics.dropped.inc({ why });
    this.#context.log.info({ serial: this.peer.serial, why }, 'frame dropped');
  }

  async #work(): Promise<void> {
    for (let next = this.#inbox.shift(); next; next = this.#inbox.shift()) {
      const entry = next;
      const held = await this.#handle(entry).catch((error: unknown) => {
        this.#context.metrics.dropped.inc({ why: 'handler' });
        const method = entry.what === 'message' ? entry.message.method : 'state';
        this.#context.log.error({ err: error, serial: this.peer.serial, method }, 'message not handled');
        // a session that could not be begun as a whole is not kept: the device comes again, and it is tried again
        if (method === 'connect') this.end('server-error', 1011);
        return false;
      });
      if (!held) this.#flow.done(entry.bytes);
    }
    this.#working = null;
  }

  /** @returns true when its bytes are held until something is committed */
  async #handle(entry: Entry): Promise<boolean> {
    const { at, bytes } = entry;
    if (entry.what === 'report') {
      await handleReport(this.#context, this, entry.report, at);
      return false;
    }
    if (entry.what === 'frame') {
      if (this.link) return this.#report(entry.frame, bytes, at);
      this.#sortAnew(entry.frame, at);
      return false;
    }
    const { message } = entry;
    const { serial: claimed } = message.params;
    if (claimed !== undefined && normaliseSerial(claimed) !== this.peer.serial) this.#mismatch(claimed);
    else if (message.method === 'connect') await this.#connect(message.params);
    else if (!this.link) this.#context.metrics.dropped.inc({ why: 'before-connect' });
    else if (entry.frame) return this.#report(entry.frame, bytes, at);
    else {
      const { kept } = await handleMessage(this.#context, this, message, at);
      if (kept) this.#keep(kept, bytes);
      return kept !== null;
    }
    return false;
  }

  /** A frame that looked like a report and is to be handled as any other. */
  #sortAnew(frame: Buffer, at: Date): void {
    const received = receive(frame);
    if (received.inflated) this.#flow.read(received.inflated);
    this.#sort(received, frame, frame.length + (received.inflated ?? 0), at);
  }

  /** Gives a report to be committed; what it comes to has its turn then. */
  async #report(frame: Buffer, bytes: number, at: Date): Promise<boolean> {
    const { metrics, reports } = this.#context;
    while (this.#reporting.size >= mostReports) await Promise.race(this.#reporting);
    await this.#flow.paid();
    const { link } = this;
    if (!link) return false;
    const work = reports.state(this.device, frame, { epoch: link.epoch, at }).then((outcome) => {
      if (outcome.outcome === 'other') return this.#sortAnew(frame, at);
      if ('inflated' in outcome && outcome.inflated > 0) this.#flow.read(outcome.inflated);
      if (outcome.outcome === 'invalid') return this.#drop(outcome.why);
      metrics.messages.inc({ method: 'state' });
      if (outcome.outcome === 'committed' && outcome.digest)
        this.#await({ what: 'report', report: outcome.digest, bytes: 0, at });
    });
    const kept = this.#keep(work, bytes);
    this.#reporting.add(kept);
    void kept.finally(() => this.#reporting.delete(kept));
    return true;
  }

  /** Holds bytes until something is committed; the session is not over before. */
  #keep(work: Promise<unknown>, bytes: number): Promise<unknown> {
    const { log } = this.#context;
    const kept = work
      .catch((error: unknown) => log.error({ err: error, serial: this.peer.serial }, 'report not written'))
      .finally(() => {
        this.#unkept.delete(kept);
        this.#flow.done(bytes);
      });
    this.#unkept.add(kept);
    return kept;
  }

  #mismatch(claimed: unknown): void {
    const detail = `connect said ${JSON.stringify(claimed).slice(0, 64)}`;
    this.#context.refuse({ address: this.address, serial: this.peer.serial, reason: 'serial-mismatch', detail });
    this.end('serial-mismatch');
  }

  async #connect(params: Readonly<Record<string, unknown>>): Promise<void> {
    const { metrics, passwords, handlers, log } = this.#context;
    // a message of identity that names nobody is no identity
    if (normaliseSerial(params.serial) !== this.peer.serial) return this.#mismatch(params.serial ?? null);
    metrics.messages.inc({ method: 'connect' });
    const connect = readConnect(params, new Date(this.lastFrameAt));
    this.profile = {
      platform: connect.platform,
      compresses: takesCompressedCommands(connect.capabilities),
      // only `connect` tells: reports say 0 on devices that are merely unconfigured, and switches have no such boot
      recovery: connect.uuid === recoveryUuid && connect.platform !== 'switch',
    };
    await this.#context.registry.inTurn(this.device.serial, async () => {
      const link = this.link ?? (await this.#open());
      if (!link) return;
      this.#context.reports.prepare();
      if (typeof params.password === 'string') await passwords.store(this.device, params.password, connect.at);
      await handlers.connected(this.device, connect, link);
      this.#tell('connected', { at: connect.at, epoch: link.epoch, reason: connect.reason, uuid: connect.uuid });
      log.info({ serial: this.device.serial, address: this.address, reason: connect.reason }, 'device connected');
      if (shouldRenew(connect, this.peer, this.#context.clock.now())) this.channel.notify(edgeRenewMethod, {});
    });
  }

  /** Makes this session the device's one: counted, known in this process, and announced to older ones elsewhere. */
  async #open(): Promise<Link | null> {
    const { bus, links, metrics, node, registry } = this.#context;
    if (this.#ending) return null;
    const opened = await links.open(this.device, {
      node,
      address: this.address,
      peer: this.peer,
      at: new Date(this.openedAt),
    });
    if (!opened) {
      this.end('revoked');
      return null;
    }
    const since = new Date(this.openedAt);
    this.channel.numberFrom(opened.epoch);
    this.link = { epoch: opened.epoch, node, address: this.address, since, ours: this.peer.ours };
    registry.put(this)?.end('taken-over');
    metrics.sessions.set(registry.size);
    tellSession(bus, this.device, { type: 'taken-over', epoch: opened.epoch });
    if (!this.#ending) this.#releases.push(answerCommands(this.#context, this));
    return this.link;
  }

  /** Does what another part of the program wants of the device's sessions. */
  obey(order: SessionOrder): void {
    if (this.#ended) return;
    if (order.type === 'cut') this.end(order.reason);
    else if (order.type === 'relay') this.#passOn(order.params);
    else if (this.link && this.link.epoch < order.epoch) this.end('taken-over');
  }

  #passOn(broadcast: Record<string, unknown>): void {
    this.channel.call('venue_broadcast', broadcast, closeGrace).catch(() => {
      this.#context.metrics.dropped.inc({ why: 'relay' });
    });
  }

  #onError(error: Error & { code?: string }): void {
    const oversized = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    if (oversized || error.code?.startsWith('WS_ERR')) {
      this.#ending ??= oversized ? 'oversized-frame' : 'protocol';
      this.#context.metrics.dropped.inc({ why: oversized ? 'oversized' : 'protocol' });
      this.#context.log.info(
        { serial: this.peer.serial, code: error.code, most: deviceLimits.receiveBytes },
        'frame refused',
      );
    }
  }

  async #finish(): Promise<void> {
    const { clock, log, metrics, registry } = this.#context;
    const { device } = this;
    for (const release of this.#releases.splice(0)) release();
    this.#flow.close();
    this.channel.close();
    registry.remove(this);
    metrics.sessions.set(registry.size);
    const reason = this.#ending ?? 'closed';
    await registry
      .inTurn(device.serial, async () => {
        const { link } = this;
        if (!link) return;
        const lastFrameAt = new Date(this.lastFrameAt);
        const end = { device, reason, epoch: link.epoch, at: clock.now(), lastFrameAt };
        await writeEnd(this.#context, end).catch((error: unknown) => {
          registry.owedEnds.set(device.serial, end);
          throw error;
        });
      })
      .catch((error: unknown) => log.error({ err: error, serial: device.serial }, 'end of session not written yet'));
    // what it said before it left is still being handled
    while (this.#working || this.#unkept.size > 0) await Promise.all([this.#working, ...this.#unkept]);
    registry.forget(this);
  }

  #tell(fact: string, data: Record<string, unknown>): void {
    this.#context.publish(factSubject(this.device, fact), data);
  }
}
