import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { changedFields } from '../../ui/changed-fields.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { Installation } from './install-detail.ts';

type Saved = Installation['map'];

const presets = ['none', 'osm', 'amap', 'tianditu', 'own'] as const satisfies readonly Saved['preset'][];
const datums = ['wgs84', 'gcj02'] as const satisfies readonly Saved['datum'][];

export function MapCard({ saved }: { saved: Saved }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(saved);
  const form = useForm<keyof Saved>();
  const set = (part: Partial<Saved>) => setDraft((now) => ({ ...now, ...part }));
  const changes = changedFields<Saved>(draft, saved);
  const { preset } = draft;
  const send = () =>
    form.send(
      {
        key: preset === 'tianditu' && draft.key === '' ? t('validation.required') : null,
        url: preset === 'own' && draft.url === '' ? t('validation.required') : null,
      },
      async () => {
        await call('/api/v3/install/map', changes);
        await client.invalidateQueries({ queryKey: ['/api/v3/install/detail'] });
        await client.invalidateQueries({ queryKey: ['/api/v3/map/list'] });
        notify('ok', t('install.map_saved'));
      },
    );
  return (
    <Card title={t('install.map')}>
      <Form className="stack" send={send}>
        <p className="quiet">{t('install.map_hint')}</p>
        <div className="grid" ref={form.fields}>
          <div className="span-4">
            <SelectField
              label={t('install.map_preset')}
              value={preset}
              hint={t(`install.map_about_${preset}`)}
              options={presets.map((value) => ({ value, label: t(`install.map_${value}`) }))}
              onChange={(value) => set({ preset: value })}
            />
          </div>
          {preset === 'tianditu' && (
            <div className="span-4">
              <TextField
                label={t('install.map_key')}
                hint={t('install.map_key_hint')}
                maxLength={128}
                value={draft.key}
                error={form.wrong.key}
                onChange={(key) => set({ key: key.trim() })}
              />
            </div>
          )}
          {preset === 'own' && (
            <>
              <div className="span-8">
                <TextField
                  label={t('install.map_url')}
                  placeholder="https://tiles.example.org/{z}/{x}/{y}.png"
                  maxLength={500}
                  value={draft.url}
                  error={form.wrong.url}
                  onChange={(url) => set({ url: url.trim() })}
                />
              </div>
              <div className="span-8">
                <TextField
                  label={t('install.map_attribution')}
                  maxLength={200}
                  value={draft.attribution}
                  error={form.wrong.attribution}
                  onChange={(attribution) => set({ attribution })}
                />
              </div>
              <div className="span-4">
                <SelectField
                  label={t('install.map_datum')}
                  value={draft.datum}
                  options={datums.map((value) => ({ value, label: t(`install.map_${value}`) }))}
                  onChange={(datum) => set({ datum })}
                />
              </div>
            </>
          )}
        </div>
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            busy={form.busy}
            why={Object.keys(changes).length > 0 ? undefined : t('install.nothing_changed')}
          >
            {t('action.save')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
