import type { Fleet } from '@yunxun/simulator';
import type { Started } from '../../start.ts';
import type { Owner } from '../accounts.ts';
import type { MemoryFile } from '../memory.ts';

export interface DemoWorld {
  url: string;
  dataDir: string;
  program: Started;
  owners: readonly Owner[];
  /** By shop, and the spares. Stopped after the program. */
  fleets: Map<string, Fleet>;
  /** Aborts when the demo ends. */
  stopping: AbortSignal;
  file: MemoryFile;
}

/** Makes one part of the product's use visible, through its services and the simulator's protocol. */
export interface Story {
  name: string;
  tell(world: DemoWorld): Promise<void>;
  /** Continues what has to run, when an earlier start has told it. */
  resume?(world: DemoWorld): Promise<void>;
}
