import { t } from '../../app/i18n.ts';
import { fieldName } from '../../ui/changes/change-labels.ts';
import { changesOf } from '../../ui/changes/changes.ts';
import { useLabels } from './labels.ts';

export function ChangesTable({ before, after }: { before: unknown; after: unknown }) {
  const changes = changesOf(before, after, useLabels({ before, after }));
  if (changes.length === 0) return <p className="dim">{t('log.no_values')}</p>;
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t('log.field')}</th>
          <th>{t('log.before')}</th>
          <th>{t('log.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field.join('/')}>
            <th scope="row" className="small wraps" title={change.field.join('/')}>
              {fieldName(change.field)}
            </th>
            <td className="quiet wraps">{change.before}</td>
            <td className="wraps">{change.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
