import { labelsWith } from '../../../ui/changes/change-labels.ts';
import { changesOf, type FieldChange } from '../../../ui/changes/changes.ts';
import type { Settings } from './draft.ts';

/** Returns the differences between settings (null: never saved) in the words of the operation log. */
export function settingsChanges(before: Settings | null, after: Settings): FieldChange[] {
  return changesOf(before && reported(before), reported(after), labelsWith(new Map()));
}

/**
 * Returns the settings in the form of the operation log, where field names are unambiguous and the WAN order is a
 * field.
 */
function reported({ reboot, lines: wans, ...settings }: Settings): object {
  const order = wans.length > 1 ? { line_order: wans.map(({ name }) => name) } : {};
  if (!reboot) return { lines: wans, ...order, ...settings };
  const { days: weekdays, ...time } = reboot;
  return { lines: wans, ...order, ...settings, reboot: { weekdays, ...time } };
}
