import { posix } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { type RemoteDirectory, type RemoteFileEntry, remoteFileStatuses } from '@yunxun/contract/device';
import { answerLine, type Clock, type FileAction, FileRefused, type FileRequest, refusal } from '@yunxun/edge';

const { notFound, exists, otherKind, full, notSignedIn } = remoteFileStatuses;
const home = '/root';
/** Bytes of all files of a box. */
const diskBytes = 4 * 1024 * 1024;

interface Node {
  /** Null: a directory. */
  bytes: Buffer | null;
  /** Seconds since 1970. */
  modified: number;
}

export interface TreeOptions {
  clock: Pick<Clock, 'now'>;
  name: string;
  /** Own address of the LAN, as `192.168.1.1/24`. */
  subnet: string;
  bootedMs: number;
}

/** Files of one simulated box, in memory. */
export class FileTree {
  readonly #clock: TreeOptions['clock'];
  readonly #nodes = new Map<string, Node>();

  constructor({ clock, name, subnet, bootedMs }: TreeOptions) {
    this.#clock = clock;
    const modified = Math.floor(bootedMs / 1000);
    const texts = textsOf(name, subnet);
    for (const [path, text] of Object.entries(texts)) {
      for (let folder = posix.dirname(path); !this.#nodes.has(folder); folder = posix.dirname(folder))
        this.#nodes.set(folder, { bytes: null, modified });
      this.#nodes.set(path, { bytes: Buffer.from(text), modified });
    }
  }

  act(request: FileRequest, isSignedIn: boolean): FileAction {
    const path = posix.resolve(request.path || home);
    try {
      if (!isSignedIn) throw new FileRefused(notSignedIn, 'there was no sign-in at this shell');
      if (request.way === 'write') return this.#receive(path, request);
      const bytes = request.way === 'list' ? Buffer.from(JSON.stringify(this.#list(path))) : this.#read(path);
      return answered(bytes);
    } catch (error) {
      return refused(error);
    }
  }

  #at(path: string): Node {
    const node = this.#nodes.get(path);
    if (node) return node;
    if (this.#at(posix.dirname(path)).bytes !== null) throw new FileRefused(otherKind, 'not a directory');
    throw new FileRefused(notFound, 'no such file or directory');
  }

  #list(path: string): RemoteDirectory {
    if (this.#at(path).bytes !== null) throw new FileRefused(otherKind, 'not a directory');
    const entries = [...this.#nodes].flatMap<RemoteFileEntry>(([one, { bytes, modified }]) =>
      one === '/' || posix.dirname(one) !== path
        ? []
        : [{ name: posix.basename(one), type: bytes ? 'file' : 'directory', size: bytes?.length ?? 0, modified }],
    );
    const rank = ({ type, name }: RemoteFileEntry) => `${type === 'directory' ? 0 : 1}${name}`;
    return { path, entries: entries.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)), more: false };
  }

  #read(path: string): Buffer {
    const { bytes } = this.#at(path);
    if (bytes === null) throw new FileRefused(otherKind, 'not a plain file');
    return bytes;
  }

  #mustTake(path: string, { size, replace }: FileRequest): void {
    const before = this.#nodes.get(path);
    if (before && !replace) throw new FileRefused(exists, `${posix.basename(path)} exists`);
    if (before?.bytes === null) throw new FileRefused(otherKind, 'not a plain file');
    if (this.#at(posix.dirname(path)).bytes !== null) throw new FileRefused(otherKind, 'not a directory');
    const used = [...this.#nodes.values()].reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
    if (used - (before?.bytes?.length ?? 0) + size > diskBytes) throw new FileRefused(full, 'no space left');
  }

  #receive(path: string, request: FileRequest): FileAction {
    this.#mustTake(path, request);
    const output = new PassThrough();
    const parts: Buffer[] = [];
    let left = request.size;
    const keep = () => {
      try {
        // another upload may have come meanwhile
        this.#mustTake(path, request);
        const modified = Math.floor(this.#clock.now() / 1000);
        this.#nodes.set(path, { bytes: Buffer.concat(parts), modified });
        output.end(answerLine({ ok: true, size: 0 }));
      } catch (error) {
        refused(error).output.pipe(output);
      }
    };
    const input = new Writable({
      write(part: Buffer, _encoding, done) {
        parts.push(part);
        left -= part.length;
        if (left === 0) keep();
        done();
      },
    });
    if (left === 0) keep();
    return actionOf(input, output);
  }
}

function refused(error: unknown): FileAction {
  if (error instanceof FileRefused) return refusal(error.status, error.message);
  throw error;
}

function answered(bytes: Buffer): FileAction {
  const output = new PassThrough();
  output.write(answerLine({ ok: true, size: bytes.length }));
  output.end(bytes);
  return actionOf(new Writable({ write: (_part, _encoding, done) => done() }), output);
}

function actionOf(input: Writable, output: PassThrough): FileAction {
  return {
    input,
    output,
    async close() {
      input.destroy();
      output.destroy();
    },
  };
}

function textsOf(name: string, subnet: string): Readonly<Record<string, string>> {
  const own = subnet.split('/')[0] ?? '';
  return {
    '/etc/hostname': `${name}\n`,
    '/etc/hosts': `127.0.0.1 localhost\n${own} ${name}\n`,
    '/etc/config/dhcp': "config dnsmasq\n\toption domain 'lan'\n\nconfig dhcp 'lan'\n\toption interface 'lan'\n",
    '/etc/config/network': `config interface 'lan'\n\toption proto 'static'\n\tlist ipaddr '${subnet}'\n`,
    '/etc/config/system': `config system\n\toption hostname '${name}'\n\toption timezone 'UTC'\n`,
    '/root/notes.txt': 'Simulated device. What you upload here is gone after a restart of the simulation.\n',
    '/tmp/messages.log': `daemon.info yunxun-edge: ${name} is up\ndaemon.info dnsmasq: started\n`,
  };
}
