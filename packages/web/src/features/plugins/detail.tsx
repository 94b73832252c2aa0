import { useState } from 'react';
import { isMissing } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useMay, useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { bytes } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { type Plugin, refreshEvery, shownText } from './plugin.ts';
import { PluginDevices } from './plugin-devices.tsx';
import { PluginLog } from './plugin-log.tsx';

export function PluginScreen() {
  const id = useParam('id');
  const may = useMay('network.write');
  const [installing, setInstalling] = useState(false);
  const { data, error, refetch } = useRead('/api/v3/plugin/detail', { id }, { refetchMs: refreshEvery });
  if (!data)
    return (
      <Page title={t('plugin.apps')}>
        {isMissing(error) ? (
          <Card>
            <Empty
              icon="puzzle"
              title={t('plugins.missing')}
              actions={
                <Link to="/index" className="btn">
                  {t('plugins.to_market')}
                </Link>
              }
            >
              {t('plugins.missing_body')}
            </Empty>
          </Card>
        ) : error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton height={320} />
        )}
      </Page>
    );
  const free = data.devices.some(({ unfit, install }) => unfit === null && install === null);
  return (
    <Page
      title={shownText(data.name)}
      actions={
        may && (
          <Button
            kind="primary"
            icon="plus"
            why={free ? undefined : t('plugins.nothing_fits')}
            onClick={() => setInstalling(true)}
          >
            {t('plugins.install')}
          </Button>
        )
      }
    >
      <div className="stack">
        <div className="grid">
          <div className="span-6">
            <About plugin={data} />
          </div>
          <div className="span-6">
            <Permissions plugin={data} />
          </div>
        </div>
        <Card title={t('plugins.devices')}>
          <PluginDevices plugin={data} may={may} />
        </Card>
        <Card title={t('plugins.versions')}>
          <Versions plugin={data} />
        </Card>
        <Card title={t('plugins.log')}>
          <PluginLog id={id} />
        </Card>
      </div>
      {installing && <InstallDialog plugin={data} device={null} onClose={() => setInstalling(false)} />}
    </Page>
  );
}

function About({ plugin }: { plugin: Plugin }) {
  const { description, publisher, licence, version, needs } = plugin;
  const rows = [
    [t('plugins.publisher'), publisher],
    [t('plugins.newest'), version],
    [t('plugins.licence'), licence],
    ...(needs ? [[t('plugins.needs'), shownText(needs)]] : []),
  ];
  return (
    <Card title={t('plugins.about')}>
      <div className="stack stack-s">
        <p>{shownText(description)}</p>
        <table className="plain-table">
          <tbody>
            {rows.map(([label, value]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Permissions({ plugin: { permissions, memory_mb: memory } }: { plugin: Plugin }) {
  return (
    <Card title={t('plugins.permissions')}>
      <div className="stack stack-s">
        {permissions.length > 0 ? (
          <ul>
            {permissions.map((name) => (
              <li key={name}>{t(`plugins.permission_${name}`)}</li>
            ))}
          </ul>
        ) : (
          <p>{t('plugins.permission_none')}</p>
        )}
        <p className="small dim">{t('plugins.sandbox', { n: memory })}</p>
      </div>
    </Card>
  );
}

function Versions({ plugin: { versions } }: { plugin: Plugin }) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t('plugins.version')}</th>
          <th scope="col">{t('plugins.arch')}</th>
          <th scope="col">{t('plugins.min_agent')}</th>
          <th scope="col">{t('plugins.size')}</th>
          <th scope="col">SHA-256</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((one) => (
          <tr key={`${one.version} ${one.arch}`}>
            <td>{one.version}</td>
            <td>{one.arch === 'all' ? t('plugins.arch_all') : one.arch}</td>
            <td>{one.min_agent}</td>
            <td>{bytes(one.size)}</td>
            <td className="small mono" title={one.sha256}>
              {one.sha256.slice(0, 16)}…
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
