import { t } from '../../../app/i18n.ts';
import { fieldName } from '../../../ui/changes/change-labels.ts';
import { nothing } from '../../../ui/changes/changes.ts';
import { settingsChanges } from './changes.ts';
import type { Settings } from './draft.ts';

export function Diff({ before, after }: { before: Settings | null; after: Settings }) {
  const changes = settingsChanges(before, after);
  if (changes.length === 0) return <p className="small quiet">{t('gateway.no_changes')}</p>;
  return (
    <table className="plain-table diff gateway-diff">
      <tbody>
        {changes.map(({ field, before: from, after: to }) => (
          <tr key={field.join('/')}>
            <th scope="row" className="small quiet">
              {fieldName(field)}
            </th>
            <td>
              {from !== nothing && <del>{from}</del>} {to !== nothing && <ins>{to}</ins>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
