import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Form } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { NumberField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { Installation } from './install-detail.ts';

type Row = Installation['retention'][number];

export function RetentionCard({ saved }: { saved: readonly Row[] }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Partial<Record<Row['kind'], string>>>({});
  const form = useForm<Row['kind']>();
  const typed = ({ kind, days }: Row) => draft[kind] ?? String(days);
  const changed = saved.filter((row) => typed(row) !== String(row.days));
  const save = async () => {
    await call('/api/v3/install/retention', Object.fromEntries(changed.map((row) => [row.kind, Number(typed(row))])));
    await client.invalidateQueries({ queryKey: ['/api/v3/install/detail'] });
    setDraft({});
    notify('ok', t('install.retention_saved'));
  };
  const send = () => {
    const fewer = changed.filter((row) => Number(typed(row)) < row.days);
    return form.send(Object.fromEntries(changed.map((row) => [row.kind, ruleErrorOf(row, typed(row))])), async () => {
      if (fewer.length === 0) return save();
      return ask({
        title: t('install.retention_title'),
        body: t('install.retention_body'),
        losses: fewer.map((row) =>
          t('install.retention_loss', { what: t(`install.keep_${row.kind}`), days: count(Number(typed(row))) }),
        ),
        confirm: t('action.save'),
        danger: true,
        act: save,
      });
    });
  };
  return (
    <Card title={t('install.retention')}>
      <Form className="stack" send={send}>
        <p className="quiet">{t('install.retention_hint')}</p>
        <div className="grid" ref={form.fields}>
          {saved.map((row) => (
            <div className="span-4" key={row.kind}>
              <NumberField
                label={t(`install.keep_${row.kind}`)}
                hint={t('install.keep_range', { min: count(row.min), max: count(row.max) })}
                min={row.min}
                max={row.max}
                value={typed(row)}
                error={form.wrong[row.kind]}
                onChange={(value) => setDraft((now) => ({ ...now, [row.kind]: value }))}
              />
            </div>
          ))}
        </div>
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            busy={form.busy}
            why={changed.length > 0 ? undefined : t('install.nothing_changed')}
          >
            {t('action.save')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function ruleErrorOf({ min, max }: Row, text: string): string | null {
  const days = Number(text);
  return /^\d+$/.test(text) && days >= min && days <= max ? null : t('validation.between', { min, max });
}
