import { changesOf, type FieldChange } from '../../logs/changes.ts';
import { wordsWith } from '../../logs/words.ts';
import type { Settings } from './draft.ts';

/** What differs between settings (null: nothing was ever saved), in the words of the operation log. */
export function settingsChanges(before: Settings | null, after: Settings): FieldChange[] {
  return changesOf(before && told(before), told(after), wordsWith(new Map()));
}

/** Settings as the operation log keeps them: each word means one thing there, and the order of lines is said. */
function told({ reboot, lines, ...settings }: Settings): object {
  const order = lines.length > 1 ? { line_order: lines.map(({ name }) => name) } : {};
  if (!reboot) return { lines, ...order, ...settings };
  const { days: weekdays, ...time } = reboot;
  return { lines, ...order, ...settings, reboot: { weekdays, ...time } };
}
