import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { fieldName, labelsWith } from '../../ui/changes/change-labels.ts';
import { type Change, ChangeTable, leavesOf } from '../../ui/changes/change-table.tsx';
import { mac } from '../../ui/format.ts';

export function Changes({ diff, same }: { diff: Data<'/api/v3/cloud_backup/diff'>; same: string }) {
  const lines = saying(diff.changes);
  if (lines.length === 0) return <p className="quiet">{same}</p>;
  return (
    <>
      <ChangeTable lines={lines} labels />
      {diff.more > 0 && <p className="small dim">{t('backup.more_changes', { n: diff.more })}</p>}
    </>
  );
}

export function saying(changes: readonly Change[]): Change[] {
  return changes
    .flatMap(leavesOf)
    .map(inWords)
    .filter(({ before, after }) => before !== '' || after !== '');
}

const words = labelsWith(new Map());
/** Template in a backup and its target: `network wireless`, `0c4b54a1b2c3 ac`. */
const templateOf = /^(network|[0-9a-f]{12}) (ac|wireless)$/;
const serial = /^[0-9a-f]{12}$/;
const bands = ['2G', '5G', '6G'] as const;

function inWords({ path, before, after }: Change): Change {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = steps.map((step) => {
    const [, place, kind] = templateOf.exec(step) ?? [];
    if (place && kind) {
      const what = t(kind === 'ac' ? 'config.wireless_ac' : 'config.wireless');
      return place === 'network' ? what : `${mac(place)} ${what}`;
    }
    if (bands.includes(step as '2G')) return t(`wireless.band_${step as '2G'}`);
    return serial.test(step) ? mac(step) : step;
  });
  const textOf = (value: unknown) => (value === null || value === undefined ? '' : words(steps.at(-1) ?? '', value));
  return { path: fieldName(named), before: textOf(before), after: textOf(after) };
}
