import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Empty } from '../../../ui/empty.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { mac } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { Runs } from './device-tools.tsx';
import { ToolForm } from './tool-form.tsx';

const listed = 100;

export function NetworkTools({ gwid }: { gwid: string }) {
  const page = { gwid, page: 1, limit: listed, sort: 'remark' as const };
  const gateways = useRead('/api/v3/ap/list', { ...page, kind: 'gateway' }).data?.list;
  const aps = useRead('/api/v3/ap/list', { ...page, kind: 'ap' }).data?.list;
  const switches = useRead('/api/v3/ap/list', { ...page, kind: 'switch' }).data?.list;
  const [chosen, setChosen] = useState<string | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const all = [...(gateways ?? []), ...(aps ?? []), ...(switches ?? [])];
  const devices = all.filter(({ serial }, at) => all.findIndex((other) => other.serial === serial) === at);
  const device = devices.find(({ serial }) => serial === chosen) ?? devices[0];
  return (
    <div className="grid">
      <Card title={t('network.tab_tools')} className="span-5">
        <Loading until={gateways !== undefined && aps !== undefined && switches !== undefined} lines={4}>
          {device ? (
            <div className="stack stack-s">
              <SelectField
                label={t('tools.device')}
                value={device.serial}
                onChange={setChosen}
                options={devices.map((one) => ({ value: one.serial, label: one.remark || mac(one.serial) }))}
              />
              <ToolForm
                key={device.serial}
                serial={device.serial}
                online={device.status === 'online'}
                onRun={setOpen}
              />
            </div>
          ) : (
            <Empty icon="server" title={t('tools.no_device')} small>
              {t('network.empty_body')}
            </Empty>
          )}
        </Loading>
      </Card>
      <section className="card card-pad span-7">
        <Runs of={{ gwid }} open={open} setOpen={setOpen} />
      </section>
    </div>
  );
}
