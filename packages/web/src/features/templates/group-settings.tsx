import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Conflict, useSaving } from '../../ui/saving.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { DropFacts, PreviewDevice } from '../configuration/index.ts';
import { contentOf, type Draft, isChanged, layerDraftOf } from './draft.ts';
import { LayerFields } from './layer-fields.tsx';
import { locksOf } from './locks.tsx';
import { fieldsOf, wrongRules } from './port-rules.tsx';
import './templates.css';

type Settings = Data<'/api/v3/ap/group/settings/get'>;
type Answer = Data<'/api/v3/ap/group/settings/preview'>;

/** Wireless settings of an access point group; they override networks and templates. */
export function GroupSettings(props: { groupId: string; name: string; onClose: () => void }) {
  const { groupId, name, onClose } = props;
  const { data, error, refetch } = useRead('/api/v3/ap/group/settings/get', { group_id: groupId });
  if (data) {
    return <Form key={data.version} settings={data} name={name} onClose={onClose} reload={() => void refetch()} />;
  }
  return (
    <Dialog wide title={t('group_settings.title', { name })} onClose={onClose}>
      {error ? <Failed error={error} retry={() => void refetch()} small /> : <Loading until={false}>{null}</Loading>}
    </Dialog>
  );
}

function Form(props: { settings: Settings; name: string; onClose: () => void; reload: () => void }) {
  const { settings, name, onClose } = props;
  const saved: Draft = { ...layerDraftOf(settings), name: '' };
  const [draft, setDraft] = useState(saved);
  const [fields, setFields] = useState<ApiError['fields']>({});
  const [previewing, setPreviewing] = useState(false);
  const readOnly = !useMay('config.write');
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const changed = isChanged(draft, saved);
  const leave = useUnsaved(changed, onClose);
  const lock = locksOf(draft, (locks) => change({ locks }), readOnly);
  const check = () => {
    const wrong = fieldsOf(wrongRules(draft.rules));
    setFields(wrong);
    if (Object.keys(wrong).length === 0) setPreviewing(true);
  };
  if (previewing) {
    return (
      <Preview
        settings={settings}
        name={name}
        content={contentOf(draft)}
        back={() => setPreviewing(false)}
        onClose={onClose}
        onReload={props.reload}
        onRefused={(error) => {
          setPreviewing(false);
          if (error instanceof ApiError) setFields(error.fields);
          notifyError(error);
        }}
      />
    );
  }
  return (
    <Dialog
      wide
      title={t('group_settings.title', { name })}
      onClose={leave}
      onSubmit={check}
      foot={
        <>
          <Button onClick={leave}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={!changed || readOnly}>
            {t('wireless.preview')}
          </Button>
        </>
      }
    >
      <p className="quiet">{t('group_settings.body')}</p>
      <div className="stack">
        <LayerFields
          draft={draft}
          change={change}
          defaults={settings.defaults}
          fields={fields}
          readOnly={readOnly}
          noSsids={t('group_settings.no_ssids')}
          ports
          lock={lock}
        />
        <p className="small dim">{t('group_settings.locks_body')}</p>
      </div>
    </Dialog>
  );
}

function Preview(props: {
  settings: Settings;
  name: string;
  content: ReturnType<typeof contentOf>;
  back: () => void;
  onClose: () => void;
  onReload: () => void;
  onRefused: (error: unknown) => void;
}) {
  const { settings, content, onClose } = props;
  const { group_id, version } = settings;
  const { data, error, refetch } = useQuery<Answer>({
    queryKey: ['group preview', group_id, content],
    queryFn: () => call('/api/v3/ap/group/settings/preview', { group_id, ...content }),
    gcTime: 0,
    retry: false,
  });
  const { busy, conflict, send } = useSaving({
    onSaved: onClose,
    onRefused: props.onRefused,
    save: () => call('/api/v3/ap/group/settings/save', { group_id, version, ...content }),
  });
  if (conflict) {
    return <Conflict {...props} title={t('wireless.conflict')} body={t('group_settings.conflict_body')} />;
  }
  const totals = data?.totals;
  return (
    <Dialog
      wide
      title={t('group_settings.title', { name: props.name })}
      onClose={onClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button onClick={props.back}>{t('push.back')}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!totals}>
            {totals && totals.changed > 0 ? t('wireless.push', { n: totals.changed }) : t('wireless.save_only')}
          </Button>
        </>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={5}>
          {data && (
            <>
              <p>
                <strong>
                  {t('wireless.preview_sum', { changed: data.totals.changed, devices: data.totals.devices })}
                </strong>
              </p>
              {data.totals.terminals > 0 && (
                <p className="quiet">{t('wireless.preview_terminals', { n: data.totals.terminals })}</p>
              )}
              <DropFacts drops={data.drops} />
              <div className="preview-list">
                {data.devices.map((device) => (
                  <PreviewDevice key={device.serial} device={device} />
                ))}
              </div>
            </>
          )}
        </Loading>
      )}
    </Dialog>
  );
}
