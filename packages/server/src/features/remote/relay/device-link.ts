import type { Duplex } from 'node:stream';
import type { RemoteSize } from '@yunxun/contract/device';
import type { RemoteFiles } from './files.ts';

export interface Terminal {
  stream: Duplex;
  resize(size: RemoteSize): void;
  /** Called when a program in the terminal moves a file, which is refused. */
  onFileRefused?(handle: () => void): void;
  files?: RemoteFiles;
}

export interface DeviceLink {
  /** @throws Unreachable */
  openShell(size: RemoteSize): Promise<Terminal>;
  /** TCP from the device. @throws Unreachable */
  connect(host: string, port: number): Promise<Duplex>;
  onClose(handle: () => void): void;
  close(): void;
}

export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
