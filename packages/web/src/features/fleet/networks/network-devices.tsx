import { t } from '../../../app/i18n.ts';
import { oneOf, useSearch } from '../../../app/search.ts';
import { PlanButton } from '../../radio-plan/index.ts';
import { DeviceTable } from '../devices/device-table.tsx';

const kinds = ['ap', 'switch', 'gateway'] as const;

export function NetworkDevices({ gwid }: { gwid: string }) {
  const [search, change] = useSearch();
  const kind = oneOf(search.kind, kinds) ?? 'ap';
  return (
    <div className="stack">
      <div className="spread">
        <div className="segments" role="radiogroup" aria-label={t('waiting.kind')}>
          {kinds.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="kind"
                className="sr"
                checked={each === kind}
                onChange={() => change({ kind: each === 'ap' ? undefined : each, page: undefined })}
              />
              <span>{t(`kind.${each}`)}</span>
            </label>
          ))}
        </div>
        {kind === 'ap' && <PlanButton gwid={gwid} />}
      </div>
      <DeviceTable key={kind} gwid={gwid} kind={kind} />
    </div>
  );
}
