import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Radios, SsidList } from '../configuration/index.ts';
import { draftOf, type Template } from './draft.ts';
import { GeneralCard } from './general.tsx';
import { locksOf } from './locks.tsx';

const nothing = () => undefined;

export function VersionDialog(props: { template: Template; version: number; onClose: () => void }) {
  const { template, version, onClose } = props;
  const { data, error, refetch } = useRead('/api/v3/wireless_template/detail', { id: template.id, version });
  return (
    <Dialog
      wide
      title={t('template.see_title', { name: template.name, n: version })}
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={6}>
          {data && <Content shown={data} />}
        </Loading>
      )}
    </Dialog>
  );
}

function Content({ shown }: { shown: Template }) {
  const draft = draftOf(shown);
  const lock = locksOf(draft, nothing, true);
  return (
    <div className="stack">
      {shown.kind === 'wireless' && (
        <SsidList
          ssids={draft.ssids}
          change={nothing}
          fields={{}}
          readOnly
          none={t('template.no_ssids')}
          extra={(ssid) => lock(`ssids.${ssid.name}`)}
        />
      )}
      <Radios
        draft={draft}
        defaults={shown.defaults}
        change={nothing}
        readOnly
        extra={(band, field) => lock(`radios.${band}.${field}`)}
      />
      <GeneralCard value={draft.general} onChange={nothing} readOnly extra={(field) => lock(`general.${field}`)} />
      <p className="row">
        <span className="quiet">{t('wireless.country')}</span>
        {draft.country ?? <span className="dim">{t('template.not_set')}</span>}
        {lock('country')}
      </p>
    </div>
  );
}
