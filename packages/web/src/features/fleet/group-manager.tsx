import { lazy, Suspense, useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { fieldError } from '../../ui/field.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { EditCell } from '../../ui/table/edit-cell.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { loadGroupSettings } from '../templates/index.ts';
import { refreshFleet } from './batch-actions.ts';

const GroupSettings = lazy(loadGroupSettings);
type Named = { id: string; name: string };

export function GroupManager() {
  const [open, setOpen] = useState(false);
  const [settings, setSettings] = useState<Named | null>(null);
  return (
    <>
      <Button icon="layers" onClick={() => setOpen(true)}>
        {t('groups.manage')}
      </Button>
      {open && <GroupsDialog onClose={() => setOpen(false)} onSettings={setSettings} />}
      {settings && (
        <Suspense>
          <GroupSettings groupId={settings.id} name={settings.name} onClose={() => setSettings(null)} />
        </Suspense>
      )}
    </>
  );
}

function GroupsDialog({ onClose, onSettings }: { onClose: () => void; onSettings: (group: Named) => void }) {
  const mayWrite = useMay('network.write');
  const mayReadSettings = useMay('config.read');
  const { data, error, refetch } = useRead('/api/v3/ap/group/list', {});
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const create = async () => {
    const inputError = name === '' ? t('validation.required') : fieldError('nameText', name);
    setWrong(inputError);
    if (inputError || busy) return;
    setBusy(true);
    try {
      await call('/api/v3/ap/group/create', { name });
      setName('');
      await refreshFleet();
    } catch (problem) {
      if (problem instanceof ApiError && problem.code === 4105) setWrong(problem.message);
      else notifyError(problem);
    }
    setBusy(false);
  };
  return (
    <Dialog title={t('groups.manage')} onClose={onClose} onSubmit={() => void create()}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={4}>
          {data?.total === 0 ? (
            <Empty icon="layers" title={t('groups.none')} small>
              {t('groups.none_body')}
            </Empty>
          ) : (
            <table className="plain-table">
              <thead>
                <tr>
                  <th>{t('groups.name')}</th>
                  <th>{t('networks.devices')}</th>
                  <th>{t('status.online')}</th>
                  <th>{t('groups.networks')}</th>
                  {(mayWrite || mayReadSettings) && <th aria-label={t('table.actions')} />}
                </tr>
              </thead>
              <tbody>
                {data?.list.map((group) => (
                  <tr key={group.id}>
                    <td>
                      {mayWrite ? (
                        <EditCell
                          label={t('groups.name')}
                          value={group.name}
                          rule="nameText"
                          save={async (to) => {
                            await call('/api/v3/ap/group/update', { id: group.id, name: to });
                            await refreshFleet();
                          }}
                        >
                          {group.name}
                        </EditCell>
                      ) : (
                        group.name
                      )}
                    </td>
                    <td>{group.devices}</td>
                    <td>{group.online}</td>
                    <td>{group.networks}</td>
                    {(mayWrite || mayReadSettings) && (
                      <td>
                        <span className="row nowrap">
                          {mayReadSettings && (
                            <IconButton
                              icon="sliders"
                              label={t('groups.settings', { name: group.name })}
                              onClick={() => {
                                onClose();
                                onSettings(group);
                              }}
                            />
                          )}
                          {mayWrite && (
                            <IconButton
                              icon="trash"
                              label={t('groups.delete', { name: group.name })}
                              onClick={() => {
                                // close first: the question would lie below
                                onClose();
                                deleteGroup(group);
                              }}
                            />
                          )}
                        </span>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Loading>
      )}
      {mayWrite && (
        <div className="stack stack-s">
          <NameField label={t('groups.new_name')} value={name} onChange={setName} error={wrong} />
          <div className="row">
            <Button kind="primary" icon="plus" type="submit" busy={busy}>
              {t('groups.create')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function deleteGroup({ id, name, devices }: { id: string; name: string; devices: number }): void {
  ask({
    title: t('groups.delete_title', { name }),
    body: t('groups.delete_body', { n: devices }),
    confirm: t('action.delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/ap/group/delete', { id });
      notify('ok', t('table.deleted'));
      await refreshFleet();
    },
  });
}
