import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { reasonText } from '../../ui/job-name.ts';
import { Link } from '../../ui/link.tsx';
import { Tag } from '../../ui/status.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { type Plugin, type PluginDevice, refreshPlugins, shownText } from './plugin.ts';

const looks = {
  pending: ['warn', 'ring'],
  starting: ['info', 'turn'],
  running: ['ok', 'dot'],
  failed: ['bad', 'cross'],
} as const;

export function PluginDevices({ plugin, may }: { plugin: Plugin; may: boolean }) {
  const [changed, setChanged] = useState<PluginDevice | null>(null);
  if (plugin.devices.length === 0)
    return (
      <Empty small icon="server" title={t('plugins.no_devices')}>
        {t('plugins.no_devices_body')}
      </Empty>
    );
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('plugins.gateway')}</th>
            <th scope="col">{t('plugins.network')}</th>
            <th scope="col">{t('plugins.version')}</th>
            <th scope="col">{t('plugins.state')}</th>
            {may && (
              <th scope="col">
                <span className="sr">{t('table.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {plugin.devices.map((device) => (
            <tr key={device.serial}>
              <td>{device.name}</td>
              <td>
                {device.gwid && device.network ? <Link to={`/network/${device.gwid}`}>{device.network}</Link> : '—'}
              </td>
              <td>{device.install?.reported_version ?? '—'}</td>
              <td>
                <State device={device} />
              </td>
              {may && (
                <td>
                  <Actions plugin={plugin} device={device} onChange={() => setChanged(device)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {changed && <InstallDialog plugin={plugin} device={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

function State({ device: { install, unfit, online } }: { device: PluginDevice }) {
  if (!install) return <span className="dim">{t(unfit ? `plugins.unfit_${unfit}` : 'plugins.state_none')}</span>;
  const [tone, shape] = looks[install.state];
  return (
    <div className="stack stack-s">
      <div>
        <Tag tone={tone} shape={shape}>
          {t(install.removing ? 'plugins.removing' : `plugins.state_${install.state}`)}
        </Tag>
      </div>
      {install.reason && <div className="small">{reasonText(`plugin_${install.reason}`)}</div>}
      {install.state === 'pending' && !online && <div className="small dim">{t('plugins.offline')}</div>}
      {install.log.length > 0 && (
        <details className="small">
          <summary>{t('plugins.output')}</summary>
          <pre>{install.log.join('\n')}</pre>
        </details>
      )}
    </div>
  );
}

interface ActionsProps {
  plugin: Plugin;
  device: PluginDevice;
  onChange: () => void;
}

function Actions({ plugin, device, onChange }: ActionsProps) {
  const { install, serial } = device;
  if (!install) return null;
  const given = { id: plugin.id, serials: [serial] };
  const update = async () => {
    try {
      openJobs((await call('/api/v3/plugin/install', given)).job_id);
      await refreshPlugins();
    } catch (error) {
      notifyError(error);
    }
  };
  const remove = () =>
    ask({
      title: t('plugins.remove_title', { name: shownText(plugin.name), device: device.name }),
      body: t('plugins.remove_body'),
      confirm: t('plugins.remove'),
      danger: true,
      act: async () => {
        openJobs((await call('/api/v3/plugin/remove', given)).job_id);
        await refreshPlugins();
      },
    });
  return (
    <div className="row nowrap">
      {install.version !== plugin.version && device.unfit === null && (
        <Button onClick={() => void update()}>{t('plugins.update', { version: plugin.version })}</Button>
      )}
      {!install.removing && device.unfit === null && <Button onClick={onChange}>{t('plugins.settings')}</Button>}
      <Button onClick={remove}>{t('plugins.remove')}</Button>
    </div>
  );
}
