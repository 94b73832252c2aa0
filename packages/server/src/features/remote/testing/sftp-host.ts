import { posix } from 'node:path';
import ssh from 'ssh2';

const { STATUS_CODE: status, OPEN_MODE: mode } = ssh.utils.sftp;
const types = { file: 0o100644, directory: 0o040755, fifo: 0o010644 } as const;

interface Node {
  type: keyof typeof types;
  bytes: Buffer;
}

interface Handle {
  path: string;
  isListed: boolean;
  /** By their offsets. */
  chunks: Map<number, Buffer>;
}

/** Files of an SSH host without OpenSSH's extensions: it renames to no existing name. */
export class SftpHost {
  readonly nodes = new Map<string, Node>();
  /** Bytes that were read. */
  read = 0;
  /** Sizes that it lies about. */
  readonly sizes = new Map<string, number>();
  /** Seconds since 1970, where they differ from those of a new file. */
  readonly times = new Map<string, number>();

  constructor(files: Readonly<Record<string, Buffer>> = {}) {
    for (const path of ['/', '/home', '/home/root'])
      this.nodes.set(path, { type: 'directory', bytes: Buffer.alloc(0) });
    for (const [path, bytes] of Object.entries(files)) this.nodes.set(path, { type: 'file', bytes });
  }

  paths(): string[] {
    return [...this.nodes].flatMap(([path, { type }]) => (type === 'directory' ? [] : [path])).toSorted();
  }

  serve(session: ssh.Session): void {
    session.on('sftp', (accept) => this.#answer(accept()));
  }

  #attributes(path: string): ssh.Attributes | null {
    const node = this.nodes.get(path);
    if (!node) return null;
    const size = this.sizes.get(path) ?? node.bytes.length;
    const mtime = this.times.get(path) ?? 1_700_000_000;
    return { mode: types[node.type], size, uid: 0, gid: 0, atime: 1_700_000_000, mtime };
  }

  #answer(sftp: ssh.SFTPWrapper): void {
    const handles: Handle[] = [];
    const of = (handle: Buffer) => handles[handle.readUInt32BE()]!;
    const open = (id: number, path: string) => {
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(handles.push({ path, isListed: false, chunks: new Map() }) - 1);
      sftp.handle(id, handle);
    };
    const stat = (id: number, path: string) => {
      const attributes = this.#attributes(path);
      if (attributes) sftp.attrs(id, attributes);
      else sftp.status(id, status.NO_SUCH_FILE);
    };
    const name = (path: string) => [{ filename: path, longname: path, attrs: this.#attributes(path)! }];
    sftp.on('REALPATH', (id, path) => sftp.name(id, name(posix.resolve('/home/root', path))));
    sftp.on('STAT', stat);
    sftp.on('LSTAT', stat);
    sftp.on('FSTAT', (id, handle) => stat(id, of(handle).path));
    sftp.on('FSETSTAT', (id) => sftp.status(id, status.OK));
    sftp.on('CLOSE', (id, handle) => {
      const { path, chunks } = of(handle);
      const node = this.nodes.get(path);
      const inOrder = [...chunks].toSorted(([a], [b]) => a - b).map(([, chunk]) => chunk);
      if (node && chunks.size > 0) node.bytes = Buffer.concat(inOrder);
      sftp.status(id, status.OK);
    });
    sftp.on('OPENDIR', open);
    sftp.on('READDIR', (id, handle) => {
      const at = of(handle);
      if (at.isListed) return sftp.status(id, status.EOF);
      at.isListed = true;
      const inside = [...this.nodes.keys()].filter((path) => path !== '/' && posix.dirname(path) === at.path);
      const entries = inside.flatMap((path) =>
        name(path).map((entry) => ({ ...entry, filename: posix.basename(path) })),
      );
      sftp.name(id, entries);
    });
    sftp.on('OPEN', (id, path, flags) => {
      if (flags & mode.WRITE) {
        if (path.startsWith('/protected')) return sftp.status(id, status.PERMISSION_DENIED);
        this.nodes.set(path, { type: 'file', bytes: Buffer.alloc(0) });
      }
      open(id, path);
    });
    sftp.on('READ', (id, handle, offset, length) => {
      const { path } = of(handle);
      const size = this.sizes.get(path) ?? 0;
      const node = this.nodes.get(path)!;
      const bytes = offset < size ? Buffer.alloc(length, 'x') : node.bytes.subarray(offset, offset + length);
      if (bytes.length === 0) return sftp.status(id, status.EOF);
      this.read += bytes.length;
      sftp.data(id, bytes);
    });
    sftp.on('WRITE', (id, handle, offset, data) => {
      of(handle).chunks.set(offset, data);
      sftp.status(id, status.OK);
    });
    sftp.on('RENAME', (id, from, to) => {
      const node = this.nodes.get(from);
      if (!node || this.nodes.has(to)) return sftp.status(id, status.FAILURE);
      this.nodes.delete(from);
      this.nodes.set(to, node);
      sftp.status(id, status.OK);
    });
    sftp.on('REMOVE', (id, path) => sftp.status(id, this.nodes.delete(path) ? status.OK : status.NO_SUCH_FILE));
  }
}
