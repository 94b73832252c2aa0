import { useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField, fieldError, SelectField } from '../../ui/field.tsx';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refreshSdwan } from './refresh.ts';

export type Group = Row<'/api/v3/sdwan/group/list'>;

const maxBand = 10_000;

export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const networks = useRead('/api/v3/sdwan/network/list', { page: 1, limit: 100, sort: 'name' });
  const [network, setNetwork] = useState(group?.network_id ?? '');
  const id = network || networks.data?.list[0]?.id;
  const detail = useRead('/api/v3/sdwan/network/detail', { id: id ?? '' }, { enabled: id !== undefined });
  const [name, setName] = useState(group?.name ?? '');
  const [band, setBand] = useState(String(group?.widthband ?? 10));
  const [foreign, setForeign] = useState(String(group?.foreign_widthband ?? 0));
  const [picked, setPicked] = useState<readonly string[]>(group?.node_keys ?? []);
  const { wrong, busy, fields, send } = useForm<'name' | 'widthband' | 'foreign_widthband' | 'network_id'>({
    4105: 'name',
  });
  const submit = () =>
    send(
      {
        name: fieldError('nameText', name),
        network_id: id === undefined ? t('sdwan.group_no_network') : null,
        widthband: fieldError(whole(0, maxBand), band),
        foreign_widthband: fieldError(whole(0, maxBand), foreign),
      },
      async () => {
        const given = {
          name,
          widthband: Number(band),
          foreign_widthband: Number(foreign),
          node_keys: [...picked],
        };
        if (group)
          await call('/api/v3/sdwan/group/update', { id: group.id, ...changedFields<typeof given>(given, group) });
        else await call('/api/v3/sdwan/group/create', { network_id: id!, ...given });
        notify('ok', t('sdwan.saved', { name }));
        onClose();
        await refreshSdwan();
      },
    );
  const error = networks.error ?? detail.error;
  return (
    <Dialog
      title={group ? t('sdwan.group_edit', { name: group.name }) : t('sdwan.group_create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField
          label={t('sdwan.name')}
          maxLength={32}
          value={name}
          onChange={setName}
          error={wrong.name}
          autoFocus
        />
        {!group && (
          <SelectField
            label={t('sdwan.network')}
            value={id ?? ''}
            options={(networks.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
            onChange={(chosen) => {
              setNetwork(chosen);
              setPicked([]);
            }}
            error={wrong.network_id}
          />
        )}
        <NumberField
          label={t('sdwan.widthband')}
          hint={t('sdwan.band_hint')}
          min={0}
          max={maxBand}
          value={band}
          onChange={setBand}
          error={wrong.widthband}
        />
        <NumberField
          label={t('sdwan.foreign_widthband')}
          min={0}
          max={maxBand}
          value={foreign}
          onChange={setForeign}
          error={wrong.foreign_widthband}
        />
        <fieldset className="picks">
          <legend>{t('sdwan.nodes')}</legend>
          {error ? (
            <Failed small error={error} retry={() => void refreshSdwan()} />
          ) : (
            <Loading until={detail.data !== undefined || networks.data?.total === 0}>
              <div className="pick-list">
                {detail.data?.nodes.map((node) => (
                  <CheckField
                    key={node.key}
                    checked={picked.includes(node.key)}
                    onChange={(on) => setPicked(on ? [...picked, node.key] : picked.filter((key) => key !== node.key))}
                  >
                    {node.name}
                  </CheckField>
                ))}
              </div>
            </Loading>
          )}
        </fieldset>
      </div>
    </Dialog>
  );
}
