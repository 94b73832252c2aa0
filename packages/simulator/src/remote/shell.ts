import { Duplex } from 'node:stream';
import type { RemoteSize } from '@yunxun/contract/device';
import type { Clock } from '@yunxun/edge';
import { wait } from '@yunxun/edge';

export interface ShellOptions {
  clock: Clock;
  name: string;
  /** Output of `uname`. */
  system: string;
  bootedMs: number;
  size: RemoteSize;
}

export const simulatedLogin = { user: 'root', password: 'openwifi' } as const;

const keys = { interrupt: '\x03', end: '\x04', backspace: '\b', erase: '\x7f' } as const;
const screen = { enter: '\x1b[?1049h', home: '\x1b[H\x1b[2J', leave: '\x1b[?1049l' } as const;
const maxLine = 1024;
const maxCount = 100_000;
const [wrongPasswordMs, redrawMs] = [300, 1000];

/** Takes keys, gives the screen. */
export class SimulatedShell extends Duplex {
  readonly #options: ShellOptions;
  #size: RemoteSize;
  #state: 'user' | 'password' | 'ready' | 'top' | 'over' = 'user';
  #user = '';
  #line = '';
  #skipsLineFeed = false;

  constructor(options: ShellOptions) {
    super();
    this.#options = options;
    this.#size = options.size;
    const { user, password } = simulatedLogin;
    this.#show(`Simulated device. Log in as ${user} with the password ${password}.\n\n`);
    this.#ask();
  }

  get isSignedIn(): boolean {
    return this.#state === 'ready' || this.#state === 'top';
  }

  resize(size: RemoteSize): void {
    this.#size = size;
    if (this.#state === 'top') this.#draw();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (const key of chunk.toString('utf8')) this.#press(key);
    done();
  }

  override _final(done: () => void): void {
    this.#leave();
    done();
  }

  #press(key: string): void {
    const follows = this.#skipsLineFeed && key === '\n';
    this.#skipsLineFeed = key === '\r';
    if (follows || this.#state === 'over') return;
    if (this.#state === 'top') {
      if (key === 'q' || key === keys.interrupt) this.#endTop();
    } else if (key === '\r' || key === '\n') this.#enter();
    else if (key === keys.interrupt) this.#interrupt();
    else if (key === keys.end && this.#line === '') this.#leave();
    else if (key === keys.backspace || key === keys.erase) this.#erase();
    else if (key >= ' ' && this.#line.length < maxLine) {
      this.#line += key;
      if (this.#state !== 'password') this.#show(key);
    }
  }

  #erase(): void {
    if (this.#line === '') return;
    this.#line = [...this.#line].slice(0, -1).join('');
    if (this.#state !== 'password') this.#show('\b \b');
  }

  #interrupt(): void {
    this.#line = '';
    if (this.#state === 'password') this.#state = 'user';
    this.#show('^C\n');
    this.#ask();
  }

  #enter(): void {
    const line = this.#line;
    this.#line = '';
    this.#show('\n');
    if (this.#state === 'password') {
      void this.#logIn(line);
      return;
    }
    if (this.#state === 'ready') this.#run(line.trim());
    else {
      this.#user = line;
      if (line !== '') this.#state = 'password';
    }
    this.#ask();
  }

  async #logIn(password: string): Promise<void> {
    const isRight = this.#user === simulatedLogin.user && password === simulatedLogin.password;
    this.#state = isRight ? 'ready' : 'user';
    if (!isRight) {
      await wait(this.#options.clock, wrongPasswordMs);
      this.#show('Login incorrect\n\n');
    } else this.#show('\nType "help" for the commands of this simulation.\n');
    this.#ask();
  }

  #run(line: string): void {
    const [command = '', ...args] = line.split(/\s+/);
    if (command === 'top') {
      this.#state = 'top';
      this.#show(screen.enter);
      this.#draw();
    } else if (command === 'exit' || command === 'logout') this.#leave();
    else this.#show(this.#answer(command, args));
  }

  #answer(command: string, args: readonly string[]): string {
    const { system, name, clock, bootedMs } = this.#options;
    switch (command) {
      case '':
        return '';
      case 'help':
        return 'echo, exit, help, hostname, seq <count>, stty size, top, uname, uptime\n';
      case 'echo':
        return `${args.join(' ')}\n`;
      case 'hostname':
        return `${name}\n`;
      case 'uname':
        return `${system}\n`;
      case 'uptime':
        return `up ${Math.floor((clock.now() - bootedMs) / 60_000)} min\n`;
      case 'stty':
        return `${this.#size.rows} ${this.#size.columns}\n`;
      case 'seq': {
        const count = Math.min(Math.max(Math.floor(Number(args[0])) || 0, 0), maxCount);
        return Array.from({ length: count }, (_none, index) => `${index + 1}\n`).join('');
      }
      default:
        return `-ash: ${command}: not found\n`;
    }
  }

  #draw(): void {
    const { columns, rows } = this.#size;
    const { name, clock, bootedMs } = this.#options;
    const title = `${name}  ${columns}x${rows}  up ${Math.floor((clock.now() - bootedMs) / 1000)} s  (q: quit)`;
    const lines = Array.from({ length: Math.min(rows - 2, 8) }, (_none, row) => `${row + 1}  process-${row + 1}`);
    this.#show(screen.home + [title, ...lines].map((line) => line.slice(0, columns)).join('\n'));
    this.#options.clock.after(redrawMs, () => {
      if (this.#state === 'top' && this.#size.columns === columns && this.#size.rows === rows) this.#draw();
    });
  }

  #endTop(): void {
    this.#state = 'ready';
    this.#show(screen.leave);
    this.#ask();
  }

  #ask(): void {
    const { name } = this.#options;
    if (this.#state === 'user') this.#show(`${name} login: `);
    if (this.#state === 'password') this.#show('Password: ');
    if (this.#state === 'ready') this.#show(`${simulatedLogin.user}@${name}:~# `);
  }

  #leave(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (!this.destroyed) this.push(null);
  }

  #show(text: string): void {
    if (!this.destroyed && this.#state !== 'over') this.push(text.replaceAll('\n', '\r\n'));
  }
}
