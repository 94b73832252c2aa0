import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { NameField, UrlField } from '../../ui/rule-fields.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { bounds, type LinkDraft, newLink } from './draft.ts';

export function Whitelist(props: {
  rows: readonly LinkDraft[];
  wrong: Wrong<string>;
  readOnly: boolean;
  onChange: (rows: readonly LinkDraft[]) => void;
}) {
  const { rows, wrong, readOnly, onChange } = props;
  const change = (ref: string, part: Partial<LinkDraft>) =>
    onChange(rows.map((row) => (row.ref === ref ? { ...row, ...part } : row)));
  return (
    <Card title={t('portal.whitelist')}>
      <div className="stack stack-s">
        <p className="small dim">{t('portal.whitelist_hint')}</p>
        {rows.map((row, index) => (
          <div key={row.ref} className="portal-link">
            <NameField
              label={t('portal.link_name', { n: index + 1 })}
              maxLength={32}
              value={row.name}
              disabled={readOnly}
              error={wrong[`whitelist.${index}.name`]}
              onChange={(name) => change(row.ref, { name })}
            />
            <UrlField
              label={t('portal.link_address', { n: index + 1 })}
              placeholder="https://example.com"
              maxLength={255}
              value={row.link}
              disabled={readOnly}
              error={wrong[`whitelist.${index}.link`]}
              onChange={(link) => change(row.ref, { link })}
            />
            {!readOnly && (
              <IconButton
                icon="trash"
                label={t('portal.remove_link', { n: index + 1 })}
                onClick={() => onChange(rows.filter((one) => one !== row))}
              />
            )}
          </div>
        ))}
        {!readOnly && (
          <div>
            <Button
              icon="plus"
              why={rows.length >= bounds.whitelist ? t('portal.links_full', { max: bounds.whitelist }) : undefined}
              onClick={() => onChange([...rows, newLink()])}
            >
              {t('portal.add_link')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
