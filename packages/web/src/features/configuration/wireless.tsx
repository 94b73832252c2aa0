import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useDraft, useHeld } from '../../ui/unsaved.ts';
import { type Draft, draftOf, isChanged, type WirelessSettings } from './draft.ts';
import { FromTemplates } from './from-templates.tsx';
import { Preview } from './preview.tsx';
import { Radios } from './radios.tsx';
import { SsidList } from './ssid-list.tsx';
import './configuration.css';

export function Wireless({ gwid }: { gwid: string }) {
  const { data, error, refetch } = useRead('/api/v3/network/wireless/get', { gwid });
  const held = useHeld('wireless', data);
  if (error && !data) {
    return (
      <Card>
        <Failed error={error} retry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <Loading until={data !== undefined} lines={8}>
      {held && (
        <Editor
          key={held.version}
          settings={held}
          overtaken={held.version !== data?.version}
          reload={() => void refetch()}
        />
      )}
    </Loading>
  );
}

function Editor(props: { settings: WirelessSettings; overtaken: boolean; reload: () => void }) {
  const { settings, reload } = props;
  const { draft, setDraft, changed, forget } = useDraft<Draft>({
    name: 'wireless',
    basis: settings,
    begin: (kept) => kept ?? draftOf(settings),
    isChanged: (now) => isChanged(now, settings),
  });
  const [fields, setFields] = useState<ApiError['fields']>({});
  const [previewing, setPreviewing] = useState(false);
  const mayWrite = useMay('config.write');
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  return (
    <div className="stack">
      {!mayWrite && <p className="notice">{t('wireless.readonly')}</p>}
      <FromTemplates ssids={settings.templates.ssids} rules={settings.password_rules} />
      <SsidList
        ssids={draft.ssids}
        rules={settings.password_rules}
        change={(ssids) => change({ ssids })}
        fields={fields}
        readOnly={!mayWrite}
      />
      <Radios draft={draft} defaults={settings.defaults} change={(radios) => change({ radios })} readOnly={!mayWrite} />
      <Card>
        <div className="country">
          <TextField
            label={t('wireless.country')}
            value={draft.country ?? ''}
            maxLength={2}
            disabled={!mayWrite || (settings.templates.country?.source.locked ?? false)}
            error={fields.country?.[0]}
            hint={countryHint(settings)}
            onChange={(value) => change({ country: value.toUpperCase() || null })}
          />
        </div>
      </Card>
      <SaveBar changed={changed} overtaken={props.overtaken} saved={settings}>
        {mayWrite && (
          <>
            <Button disabled={!changed} onClick={() => setDraft(draftOf(settings))}>
              {t('wireless.discard')}
            </Button>
            <Button kind="primary" disabled={!changed} onClick={() => setPreviewing(true)}>
              {t('wireless.preview')}
            </Button>
          </>
        )}
      </SaveBar>
      {previewing && (
        <Preview
          gwid={settings.gwid}
          version={settings.version}
          draft={draft}
          onClose={() => setPreviewing(false)}
          onRefused={(error) => {
            setPreviewing(false);
            if (error instanceof ApiError) setFields(error.fields);
            notifyError(error);
          }}
          onReload={() => {
            setPreviewing(false);
            forget();
            reload();
          }}
          onSaved={() => {
            forget();
            setFields({});
            setPreviewing(false);
          }}
        />
      )}
    </div>
  );
}

function countryHint({ templates: { country } }: WirelessSettings): string {
  if (!country) return t('wireless.country_hint');
  const { value, source } = country;
  return t(source.locked ? 'wireless.country_locked' : 'wireless.country_from', { value, name: source.name });
}
