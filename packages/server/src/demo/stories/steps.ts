import type { DemoWorld } from './story.ts';

/**
 * Runs the steps that earlier starts did not, and remembers each under the note.
 * @throws the reason of `stopping` when the demo ends before the last one
 */
export async function runSteps(
  { file: { memory, save }, stopping }: Pick<DemoWorld, 'file' | 'stopping'>,
  note: string,
  steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
  for (let done = (memory.notes[note] as number | undefined) ?? 0; done < steps.length; done += 1) {
    stopping.throwIfAborted();
    await steps[done]!();
    memory.notes[note] = done + 1;
    save();
  }
}
