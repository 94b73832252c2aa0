import { edgeRenewMethod, edgeUnboundMethod, normaliseSerial } from '@yunxun/contract/device';
import type { WebSocket } from 'ws';
import { CommandChannel } from './channel.ts';
import { profileOf, readConnect, upstreamOf } from './connect.ts';
import { fingerprintOf, matchFingerprint } from './device-fingerprint.ts';
import type { DeviceSession } from './device-session.ts';
import { Flow } from './flow.ts';
import type { DeviceProfile } from './frame.ts';
import { looksLikeState } from './looks-like-state.ts';
import { handleMessage, handleReport, notifyBound } from './messages.ts';
import type { PeerIdentity } from './peer-identity.ts';
import type { DeviceFingerprint, DeviceRef, DisconnectReason, Link } from './ports.ts';
import { RadiusFrames } from './radius-frames.ts';
import { type Entry, type Received, receive } from './receive.ts';
import { shouldRenew } from './renewal.ts';
import { answerCommands } from './rpc.ts';
import type { Arrival, SessionContext } from './session-context.ts';
import { writeEnd } from './session-end.ts';
import { isHeldOff } from './shared-certificate.ts';
import { SilenceTimer } from './silence-timer.ts';
import { factSubject, type SessionOrder, tellSession } from './subjects.ts';

/** Milliseconds for the close frame. */
const closeGrace = 2000;

/** WebSocket code of a lost connection (RFC 6455, 7.1.5). */
const lostCode = 1006;

/** At a time: their inflated size is charged afterwards. */
const maxReports = 4;

export class Session implements DeviceSession {
  readonly device: DeviceRef;
  readonly peer: PeerIdentity;
  readonly address: string;
  readonly channel: CommandChannel;
  readonly radius: RadiusFrames;
  box: DeviceFingerprint;
  readonly #shared: boolean;
  #takenBy: DeviceFingerprint | null = null;
  /** Milliseconds, pings included. */
  lastFrameAt: number;
  readonly openedAt: number;
  link: Link | null = null;
  whenLeftUnsaid: (() => void) | null = null;
  profile: DeviceProfile = { platform: null, agent: false, compresses: false, recovery: false };
  #upstream: readonly string[] = [];
  readonly #silence = new SilenceTimer();

  readonly #context: SessionContext;
  readonly #socket: WebSocket;
  readonly #inbox: Entry[] = [];
  readonly #unkept = new Set<Promise<unknown>>();
  readonly #reporting = new Set<Promise<unknown>>();
  readonly #flow: Flow;
  #working: Promise<void> | null = null;
  #ending: DisconnectReason | null = null;
  #ended: Promise<void> | null = null;
  #releases: (() => void)[] = [];

  constructor(context: SessionContext, socket: WebSocket, { accountId, address, peer, shared }: Arrival) {
    this.#context = context;
    this.#socket = socket;
    this.#shared = shared;
    this.peer = peer;
    this.address = address;
    this.box = { address, mac: null, model: null, firmware: null, boot: null };
    this.device = { accountId, serial: peer.serial };
    this.openedAt = context.clock.now().getTime();
    this.lastFrameAt = this.openedAt;
    this.channel = new CommandChannel({
      serial: peer.serial,
      profile: () => this.profile,
      send: (frame) => socket.send(frame),
      unexpected: (id) => {
        context.metrics.dropped.inc({ why: 'reply' });
        context.log.debug({ serial: peer.serial, id }, 'unexpected reply');
      },
    });
    this.radius = new RadiusFrames({
      device: this.device,
      handler: context.handlers.radius,
      send: (frame: string) => socket.send(frame),
      dropped: () => this.#drop('radius'),
    });
    this.#flow = new Flow({
      capacity: context.capacity,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      now: () => performance.now(),
    });
    context.registry.add(this);
    // nodebuffer is the default: one Buffer for any frame type
    socket.on('message', (data) => this.#onFrame(data as Buffer));
    socket.once('message', () => {
      this.whenLeftUnsaid = null;
    });
    socket.on('ping', () => this.#alive());
    socket.on('pong', () => this.#alive());
    socket.on('error', (error) => this.#onError(error));
    socket.on('close', (code) => {
      if (!this.#ending) this.whenLeftUnsaid?.();
      this.#ending ??= 'closed';
      this.#ended ??= this.#finish();
      // lost connections cannot answer, so an answer means other hardware
      if (this.#takenBy && code !== lostCode)
        void this.#context.sharing.takenOver(this.device, this.box, this.#takenBy);
    });
  }

  /**
   * Pings after a third of `silence` milliseconds, ends after the rest: a clock jump or suspended host must not end all
   * sessions. One sweep is cheaper than timers.
   */
  check(now: number, { silence, connect }: { silence: number; connect: number }): void {
    if (!this.link && !this.#ending && now - this.openedAt > connect) {
      const { address, peer } = this;
      this.#context.refuse({ address, serial: peer.serial, reason: 'no-connect', detail: null });
      this.end('protocol');
      return;
    }
    if (this.#flow.paused) this.#silence.deaf(now);
    const due = this.#silence.check(now, this.lastFrameAt, silence);
    if (due === 'over') this.end('silent', 1001);
    else if (due === 'ask' && this.#socket.readyState === this.#socket.OPEN) {
      this.#silence.asked(now);
      this.#socket.ping();
    }
  }

  end(reason: DisconnectReason, code = 1008): void {
    if (this.#ending) return;
    if (reason === 'unbound' && this.profile.agent) this.channel.notify(edgeUnboundMethod, {});
    this.#ending = reason;
    this.#takeNoCommands();
    this.#flow.close();
    this.#socket.close(code, reason);
    const cut = setTimeout(() => this.#socket.terminate(), closeGrace);
    cut.unref();
    this.#socket.once('close', () => clearTimeout(cut));
  }

  /** Stops commands before the close frame is answered: they would reach a lost connection. */
  #takeNoCommands(): void {
    for (const release of this.#releases.splice(0)) release();
    this.channel.close();
  }

  /** Resolves when the end is written. */
  async ended(): Promise<void> {
    if (!this.#ended) await new Promise((resolve) => this.#socket.once('close', resolve));
    await this.#ended;
  }

  /** Counts empty frames too. */
  #alive(bytes = 0): void {
    this.#flow.read(bytes);
    this.#silence.heard();
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
        this.#drop(frame.why);
        return;
      case 'radius':
        if (this.link) this.radius.take(frame.radius, frame.data);
        else this.#drop('before-connect');
        return;
      case 'message':
        // the frame would keep the socket's read buffer
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
        // closed, so that the device reconnects
        if (method === 'connect') this.end('server-error', 1011);
        return false;
      });
      if (!held) this.#flow.done(entry.bytes);
    }
    this.#working = null;
  }

  /** @returns true if its bytes count until a commit */
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

  #sortAnew(frame: Buffer, at: Date): void {
    const received = receive(frame);
    if (received.inflated) this.#flow.read(received.inflated);
    this.#sort(received, frame, frame.length + (received.inflated ?? 0), at);
  }

  /** Queues the committed report again for its handlers. */
  async #report(frame: Buffer, bytes: number, at: Date): Promise<boolean> {
    const { metrics, reports } = this.#context;
    while (this.#reporting.size >= maxReports) await Promise.race(this.#reporting);
    await this.#flow.paid();
    const { link } = this;
    if (!link) return false;
    const work = reports
      .state(this.device, frame, { epoch: link.epoch, at, upstream: this.#upstream })
      .then((outcome) => {
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

  /** Counts bytes until the commit, which also delays the session's end. */
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
    // the serial is mandatory
    if (normaliseSerial(params.serial) !== this.peer.serial) return this.#mismatch(params.serial ?? null);
    metrics.messages.inc({ method: 'connect' });
    const connect = readConnect(params, new Date(this.lastFrameAt));
    this.profile = profileOf(connect);
    this.#upstream = upstreamOf(connect);
    this.box = fingerprintOf(connect, this.address);
    if (this.#shared && (await isHeldOff(this.#context, this))) return this.end('held-off', 1013);
    await this.#context.registry.inTurn(this.device.serial, async () => {
      const link = this.link ?? (await this.#open());
      if (!link) return;
      this.#context.reports.prepare();
      if (connect.quiet) await notifyBound(this.#context, this);
      if (typeof params.password === 'string') await passwords.store(this.device, params.password, connect.at);
      await handlers.connected(this.device, connect, link);
      const { at, reason, uuid } = connect;
      this.#context.publish(factSubject(this.device, 'connected'), { at, epoch: link.epoch, reason, uuid });
      log.info({ serial: this.device.serial, address: this.address, reason: connect.reason }, 'device connected');
      if (shouldRenew(connect, this.peer, this.#context.clock.now())) this.channel.notify(edgeRenewMethod, {});
    });
  }

  /** Makes this the current session and tells other processes. */
  async #open(): Promise<Link | null> {
    const { bus, links, metrics, node, registry } = this.#context;
    if (this.#ending) return null;
    const { address, peer } = this;
    const opened = await links.open(this.device, { node, address, peer, at: new Date(this.openedAt) });
    if (!opened) {
      this.end('revoked');
      return null;
    }
    const since = new Date(this.openedAt);
    this.channel.numberFrom(opened.epoch);
    const replaced = registry.put(this);
    const heardBefore = replaced ? new Date(replaced.lastFrameAt) : null;
    this.link = { epoch: opened.epoch, node, address: this.address, since, ours: this.peer.ours, heardBefore };
    replaced?.closeForTakeover(this.box);
    metrics.sessions.set(registry.size);
    tellSession(bus, this.device, { type: 'taken-over', epoch: opened.epoch, by: this.box });
    if (!this.#ending) this.#releases.push(answerCommands(this.#context, this));
    return this.link;
  }

  /** Closes for a newer session or other hardware. */
  closeForTakeover(by: DeviceFingerprint | null): void {
    if (this.#ending) return;
    this.#takenBy = by;
    this.end('taken-over');
  }

  handleOrder(order: SessionOrder): void {
    if (this.#ended) return;
    if (order.type === 'cut') this.end(order.reason);
    else if (order.type === 'relay') this.#passOn(order.params);
    else if (order.type === 'held-off') {
      if (matchFingerprint(this.box, order.boxes) === 'second') this.end('held-off', 1013);
    } else if (this.link && this.link.epoch < order.epoch) this.closeForTakeover(order.by ?? null);
  }

  #passOn(broadcast: Record<string, unknown>): void {
    const lost = () => this.#context.metrics.dropped.inc({ why: 'relay' });
    this.channel.call('venue_broadcast', broadcast, closeGrace).catch(lost);
  }

  #onError(error: Error & { code?: string }): void {
    if (!error.code?.startsWith('WS_ERR')) return;
    const oversized = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    this.#ending ??= oversized ? 'oversized-frame' : 'protocol';
    // a half-open connection may close after the next session began
    this.#takeNoCommands();
    this.#context.metrics.dropped.inc({ why: oversized ? 'oversized' : 'protocol' });
    this.#context.log.info({ serial: this.peer.serial, code: error.code }, 'frame refused');
  }

  async #finish(): Promise<void> {
    const { clock, log, metrics, registry } = this.#context;
    const { device } = this;
    this.#takeNoCommands();
    this.#flow.close();
    registry.remove(this);
    metrics.sessions.set(registry.size);
    const reason = this.#ending ?? 'closed';
    await registry
      .inTurn(device.serial, async () => {
        if (!this.link) return;
        const lastFrameAt = new Date(this.lastFrameAt);
        const at = reason === 'silent' ? lastFrameAt : clock.now();
        const end = { device, reason, epoch: this.link.epoch, at, lastFrameAt };
        await writeEnd(this.#context, end).catch((error: unknown) => {
          registry.owedEnds.set(device.serial, end);
          throw error;
        });
      })
      .catch((error: unknown) => log.error({ err: error, serial: device.serial }, 'end of session not written yet'));
    // earlier messages may still be in handling
    while (this.#working || this.#unkept.size > 0) await Promise.all([this.#working, ...this.#unkept]);
    registry.forget(this);
  }
}
