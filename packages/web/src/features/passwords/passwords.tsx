import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { useFollowJobs } from '../../app/follow-jobs.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Menu } from '../../ui/menu.tsx';
import { chosenName } from '../../ui/network-labels.ts';
import { Page } from '../../ui/page.tsx';
import { JobTag, Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { joined } from '../../ui/table/file-columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { History } from './history.tsx';
import { cycleText, type Rule, refreshRules } from './password-rule.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { Shown } from './shown.tsx';
import './passwords.css';

type Open = { as: 'edit' | 'history' | 'shown'; rule: Rule };

export function PasswordsScreen() {
  const may = useMay('config.write');
  useFollowJobs('/api/v3/ac_password/rule/list');
  const [making, setMaking] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const columns = useMemo(() => columnsOf(may ? (rule) => setOpen({ as: 'shown', rule }) : null), [may]);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {t('password_rule.create')}
    </Button>
  );
  const close = () => setOpen(null);
  return (
    <Page title={t('config.ac_dynamic_password')}>
      <DataTable
        path="/api/v3/ac_password/rule/list"
        name="ac-passwords"
        title={t('config.ac_dynamic_password')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('password_rule.search')}
        onOpen={(rule) => setOpen({ as: 'history', rule })}
        {...(may ? { actions: (rule: Rule) => <Actions rule={rule} open={(as) => setOpen({ as, rule })} /> } : {})}
        never={
          <Empty icon="key" title={t('password_rule.never')} actions={create}>
            {t('password_rule.never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {making && <RuleDialog rule={null} onClose={() => setMaking(false)} />}
      {open?.as === 'edit' && <RuleDialog rule={open.rule} onClose={close} />}
      {open?.as === 'history' && <History rule={open.rule} onClose={close} />}
      {open?.as === 'shown' && <Shown rule={open.rule} onClose={close} />}
    </Page>
  );
}

function Actions({ rule, open }: { rule: Rule; open: (as: Open['as']) => void }) {
  const { id, name, ssid, devices, paused, plan } = rule;
  const mailed = plan.emails.length;
  const rotate = async () => {
    const terminals = await terminalsOn(rule);
    ask({
      title: t('password_rule.rotate_title', { ssid }),
      body: [
        t('password_rule.rotate_body', { n: devices }),
        mailed > 0 && t('password_rule.rotate_mail', { n: mailed }),
      ]
        .filter(Boolean)
        .join(' '),
      losses: [
        terminals === null ? t('password_rule.rotate_drop') : t('password_rule.rotate_drop_n', { n: terminals }),
      ],
      confirm: t('password_rule.rotate'),
      act: async () => {
        const { job_id } = await call('/api/v3/ac_password/rule/rotate', { id });
        await refreshRules();
        if (job_id) openJobs(job_id);
        else notify('ok', t('password_rule.no_aps'));
      },
    });
  };
  const pause = async () => {
    await call('/api/v3/ac_password/rule/pause', { id, paused: !paused });
    await refreshRules();
    notify('ok', t(paused ? 'password_rule.resumed' : 'password_rule.is_paused', { name }));
  };
  const remove = () =>
    ask({
      title: t('password_rule.delete_title', { name }),
      body: t('password_rule.delete_body', { ssid }),
      losses: [t('password_rule.rotate_drop')],
      confirm: t('password_rule.delete'),
      danger: true,
      act: async () => {
        const { job_id } = await call('/api/v3/ac_password/rule/delete', { id });
        await refreshRules();
        if (job_id) openJobs(job_id);
        else notify('ok', t('password_rule.no_aps'));
      },
    });
  return (
    <div>
      <Menu
        label={t('password_rule.acts', { name })}
        target={(trigger) => <IconButton icon="more" label={t('password_rule.acts', { name })} {...trigger} />}
        items={[
          { label: t('password_rule.show'), icon: 'eye', act: () => open('shown') },
          { label: t('password_rule.rotate'), icon: 'refresh', act: () => void rotate() },
          { label: t('password_rule.edit'), icon: 'edit', act: () => open('edit') },
          {
            label: t(paused ? 'password_rule.resume' : 'password_rule.pause'),
            icon: paused ? 'play' : 'pause',
            act: () => void pause(),
          },
          { label: t('password_rule.delete'), icon: 'trash', danger: true, act: remove },
        ]}
      />
    </div>
  );
}

const maxAsked = 10;

async function terminalsOn({ gwids, ssid }: Rule): Promise<number | null> {
  if (gwids.length > maxAsked) return null;
  const asked = gwids.map((gwid) => call('/api/v3/user_online/list', { gwid, ssid, page: 1, limit: 1 }));
  const answers = await Promise.all(asked).catch(() => null);
  return answers?.reduce((sum, { total }) => sum + total, 0) ?? null;
}

function columnsOf(look: ((rule: Rule) => void) | null): Column<Rule>[] {
  const password: Column<Rule> = {
    key: 'password',
    title: t('password_rule.password'),
    cell: (row) => (
      <span className="row nowrap">
        <span aria-hidden="true">••••••••</span>
        {look && (
          <IconButton
            icon="eye"
            label={t('password_rule.show')}
            onClick={(event) => {
              event.stopPropagation();
              look(row);
            }}
          />
        )}
      </span>
    ),
    text: () => null,
  };
  return [
    {
      key: 'name',
      title: t('password_rule.name'),
      sort: 'name',
      cell: (row) => (
        <span>
          <strong>{row.name}</strong> {row.paused && <Tag tone="warn">{t('password_rule.paused')}</Tag>}
        </span>
      ),
      text: (row) => row.name,
    },
    {
      key: 'ssid',
      title: 'SSID',
      cell: (row) => (
        <span>
          {row.ssid} {row.ssid_gone && <Tag tone="warn">{t('password_rule.ssid_gone')}</Tag>}
        </span>
      ),
      text: (row) => row.ssid,
    },
    {
      key: 'networks',
      title: t('pick.networks'),
      cell: (row) => (
        <span className="ellipsis" title={row.networks.join(', ')}>
          {chosenName(row.networks.length, row.networks[0])}
        </span>
      ),
      text: (row) => joined(row.networks),
    },
    password,
    { key: 'cycle', title: t('password_rule.cycle'), cell: cycleText, text: cycleText },
    {
      key: 'changed',
      title: t('password_rule.changed'),
      cell: (row) => <RelativeTime at={row.changed_at} />,
      text: (row) => row.changed_at,
    },
    {
      key: 'next',
      title: t('password_rule.next'),
      sort: 'next_at',
      cell: (row) => (row.next_at ? <ShortTime at={row.next_at} /> : <span className="dim">—</span>),
      text: (row) => row.next_at,
    },
    {
      key: 'result',
      title: t('password_rule.result'),
      cell: (row) => (row.last_job ? <JobTag status={row.last_job.status} /> : <span className="dim">—</span>),
      text: (row) => row.last_job?.status ?? null,
    },
  ];
}
