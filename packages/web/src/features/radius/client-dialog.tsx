import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError } from '../../ui/field.tsx';
import { NetworkPick } from '../../ui/networks-field.tsx';
import { IpField, NameField, NumberField, UnquotedField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type MadeSecret, type RadiusClient, refreshClients } from './radius-client.ts';

/** RFC 5176. */
const usualPort = 3799;

interface Props {
  client: RadiusClient | null;
  onClose: () => void;
  onMade: (made: MadeSecret) => void;
}

export function ClientDialog({ client: shown, onClose, onMade }: Props) {
  // the list may reload
  const [client] = useState(shown);
  const [name, setName] = useState(client?.name ?? '');
  const [network, setNetwork] = useState(client ? { gwid: client.gwid, remark: client.network } : null);
  const [source, setSource] = useState(client?.source ?? '');
  const [identifier, setIdentifier] = useState(client?.identifier ?? '');
  const [requiresMa, setRequiresMa] = useState(client?.require_ma ?? false);
  const [port, setPort] = useState(String(client?.coa_port ?? usualPort));
  const { wrong, busy, fields, send } = useForm<'name' | 'gwid' | 'source' | 'identifier' | 'coa_port'>({
    4105: 'name',
  });
  const isNowhere = source === '' && identifier === '';
  const submit = () =>
    send(
      {
        name: fieldError('nameText', name),
        gwid: network ? null : t('validation.required'),
        source: isNowhere ? t('radius.source_or_identifier') : fieldError('ip', source, true),
        identifier: fieldError('noQuotes', identifier, true),
        coa_port: fieldError(whole(1, 65_535), port),
      },
      async () => {
        const given = {
          name,
          gwid: network!.gwid,
          source: source || null,
          identifier: identifier || null,
          require_ma: requiresMa,
          coa_port: Number(port),
        };
        if (client) {
          await call('/api/v3/radius/nas/update', { id: client.id, ...changedFields<typeof given>(given, client) });
          notify('ok', t('radius.saved', { name }));
        } else {
          const { secret } = await call('/api/v3/radius/nas/create', given);
          onMade({ name, secret });
        }
        onClose();
        await refreshClients();
      },
    );
  return (
    <Dialog
      title={client ? t('radius.edit_title', { name: client.name }) : t('radius.create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(client ? 'action.save' : 'radius.create')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField label={t('radius.name')} value={name} onChange={setName} error={wrong.name} autoFocus />
        <div className="field-label">{t('radius.network')}</div>
        <NetworkPick label={t('radius.network')} value={network} onChange={setNetwork} />
        {wrong.gwid && !network && (
          <p className="field-error" role="alert">
            {wrong.gwid}
          </p>
        )}
        <IpField
          label={t('radius.source')}
          hint={t('radius.source_hint')}
          optional
          value={source}
          onChange={setSource}
          error={wrong.source}
          placeholder="203.0.113.7"
        />
        <UnquotedField
          label={t('radius.identifier')}
          hint={t('radius.identifier_hint')}
          optional
          maxLength={64}
          value={identifier}
          onChange={setIdentifier}
          error={wrong.identifier}
        />
        <NumberField
          label={t('radius.coa_port')}
          hint={t('radius.coa_port_hint')}
          min={1}
          max={65_535}
          value={port}
          onChange={setPort}
          error={wrong.coa_port}
        />
        <CheckField checked={requiresMa} onChange={setRequiresMa}>
          {t('radius.require_ma')}
        </CheckField>
        <p className="small dim">{t('radius.require_ma_hint')}</p>
      </div>
    </Dialog>
  );
}
