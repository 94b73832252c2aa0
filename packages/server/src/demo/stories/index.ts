import type { Fleet } from '@yunxun/simulator';
import type { Started } from '../../start.ts';
import type { Owner } from '../accounts.ts';
import type { MemoryFile } from '../memory.ts';

export interface DemoWorld {
  url: string;
  dataDir: string;
  program: Started;
  owners: readonly Owner[];
  /** By shop. */
  fleets: ReadonlyMap<string, Fleet>;
  /** Aborts when the demo ends. */
  stopping: AbortSignal;
  file: MemoryFile;
}

/** Makes one part of the product's use visible, through its services and the simulator's protocol. */
export interface Story {
  name: string;
  /** Resumes an interrupted run, too: the next start tells it again. */
  tell(world: DemoWorld): Promise<void>;
}

/** In the order in which they are told. */
export const stories: readonly Story[] = [];

/** Tells what earlier starts did not; a failure is logged with the story's name. */
export async function tellStories(world: DemoWorld, all: readonly Story[] = stories): Promise<void> {
  const { memory, save } = world.file;
  for (const { name, tell } of all) {
    if (world.stopping.aborted) return;
    if (memory.told.includes(name)) continue;
    try {
      await tell(world);
      memory.told.push(name);
      save();
    } catch (error) {
      if (world.stopping.aborted) return;
      console.error(`The story "${name}" of the demo failed:`, error);
    }
  }
}
