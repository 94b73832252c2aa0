import { type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { PushDialog } from './push-dialog.tsx';

interface Props {
  to: { kind: 'network' | 'device'; picked: readonly string[] };
  onClose: () => void;
  /** Above the choice. */
  head?: ReactNode;
}

const page = { page: 1, limit: 200, sort: 'name' } as const;

export function ChooseTemplate({ to, onClose, head }: Props) {
  const may = useMay('config.write');
  const wireless = useRead('/api/v3/wireless_template/list', { kind: 'wireless', ...page });
  const ac = useRead('/api/v3/wireless_template/list', { kind: 'ac', ...page });
  const all = wireless.data && ac.data && [...wireless.data.list, ...ac.data.list];
  const error = wireless.error ?? ac.error;
  const [chosen, setChosen] = useState<string | null>(null);
  const [pushing, setPushing] = useState(false);
  const template = all?.find(({ id }) => id === chosen) ?? all?.[0];
  if (pushing && template)
    return <PushDialog template={template} version={template.version} to={to} onClose={onClose} />;
  const n = to.picked.length;
  return (
    <Dialog
      title={to.kind === 'network' ? t('choose_template.networks', { n }) : t('choose_template.devices', { n })}
      onClose={onClose}
      onSubmit={() => setPushing(template !== undefined)}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={!template}>
            {t('push.next_targets')}
          </Button>
        </>
      }
    >
      {head}
      {error && !all ? (
        <Failed
          small
          error={error}
          retry={() => {
            void wireless.refetch();
            void ac.refetch();
          }}
        />
      ) : (
        <Loading until={all !== undefined} lines={2}>
          {all?.length === 0 && (
            <>
              <p className="quiet">{t('choose_template.none')}</p>
              <p className="row">
                {may && <Link to="/config/template_wireless/wireless_create">{t('config.wireless_create')}</Link>}
                {may && <Link to="/config/template_wireless/ac_create">{t('config.wireless_ac_create')}</Link>}
              </p>
            </>
          )}
          {template && all && (
            <SelectField
              label={t('choose_template.which')}
              value={template.id}
              onChange={setChosen}
              options={all.map(({ id, name, kind }) => ({
                value: id,
                label: t(`choose_template.of_${kind}`, { name }),
              }))}
            />
          )}
        </Loading>
      )}
    </Dialog>
  );
}
