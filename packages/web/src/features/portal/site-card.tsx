import type { PortalGateway } from '@yunxun/contract';
import { lazy, Suspense, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { type MessageKey, t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { changedFields } from '../../ui/changed-fields.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { loadSitePreview } from '../portal-templates/index.ts';
import { AccessPointEffects, AccessPointFields } from './access-point-fields.tsx';
import { captiveOf, draftOf } from './captive-draft.ts';
import { CaptiveFields } from './captive-fields.tsx';
import { SiteSecret } from './site-secret.tsx';

const SitePreview = lazy(loadSitePreview);

const path = '/api/v3/portal/site';
type Choice = PortalGateway | 'access_points';

const gatewayTexts: Readonly<Record<Choice, { name: MessageKey; about: MessageKey }>> = {
  edge: { name: 'site_portal.gateway_edge', about: 'site_portal.about_edge' },
  access_points: { name: 'site_portal.gateway_access_points', about: 'site_portal.about_access_points' },
  opennds_3: { name: 'site_portal.gateway_opennds_3', about: 'site_portal.about_opennds_3' },
  opennds_4: { name: 'site_portal.gateway_opennds_4', about: 'site_portal.about_opennds_4' },
  opennds_1: { name: 'site_portal.gateway_opennds_1', about: 'site_portal.about_opennds_1' },
  uam: { name: 'site_portal.gateway_uam', about: 'site_portal.about_uam' },
  mikrotik: { name: 'site_portal.gateway_mikrotik', about: 'site_portal.about_mikrotik' },
};
const gateways = Object.keys(gatewayTexts) as Choice[];

function choiceOf({ site, wireless }: Pick<Props, 'site' | 'wireless'>): Choice {
  const { gateway, access_points: own, url } = site;
  if (gateway === 'uam' && own !== null) return 'access_points';
  // nothing was saved yet
  return url === null && gateway !== 'edge' && wireless.access_points > 0 ? 'access_points' : gateway;
}

type Props = Data<typeof path> & { gwid: string };

export function SiteCard({ gwid, site, edge, wireless, templates }: Props) {
  const may = useMay('config.write');
  const mayRead = useMay('config.read');
  // it may be read anew
  const [began] = useState(site);
  const [enabled, setEnabled] = useState(site.enabled);
  const [template, setTemplate] = useState(site.template?.id ?? '');
  const [choice, setChoice] = useState(choiceOf({ site, wireless }));
  const [payHosts, setPayHosts] = useState(site.pay_hosts);
  const [ssids, setSsids] = useState<readonly string[]>(site.access_points?.ssids ?? []);
  const gateway = choice === 'access_points' ? 'uam' : choice;
  const [captive, setCaptive] = useState(draftOf(site.captive));
  const [sent, setSent] = useState(captive);
  const [settings, setSettings] = useState<string | null>(null);
  const form = useForm<string>();
  // a gateway that cannot capture guests is not offered
  const offers = (value: Choice) => {
    if (value === 'edge') return edge.reason === null || site.gateway === 'edge';
    return value !== 'access_points' || wireless.access_points > 0 || site.access_points !== null;
  };
  const offered = gateways.filter(offers);
  const known = [
    ...templates,
    ...(site.template && !templates.some(({ id }) => id === site.template?.id) ? [site.template] : []),
  ];
  const again = () => queryClient.invalidateQueries({ queryKey: [path] });
  const wrongInput = {
    template_id: enabled && template === '' ? t('site_portal.template_none') : null,
    'captive.lans':
      enabled && gateway === 'edge' && captive.lans.length + captive.ssids.length === 0
        ? t('site_portal.captive_lans_none')
        : null,
    'access_points.ssids': choice === 'access_points' && ssids.length === 0 ? t('site_portal.gate_ssids_none') : null,
  };
  const save = () => {
    setSent(captive);
    return form.send(wrongInput, async () => {
      const given = { enabled, gateway, template_id: template === '' ? null : template, pay_hosts: payHosts };
      const read = { ...began, template_id: began.template?.id ?? null };
      const { secrets, job_id: jobId } = await call('/api/v3/portal/site/save', {
        gwid,
        ...changedFields<typeof given>(given, read),
        ...(gateway === 'edge' ? { captive: changedFields(captiveOf(captive), began.captive) } : {}),
        ...(choice === 'access_points' ? { access_points: { ssids: [...ssids] } } : {}),
        ...(choice === 'uam' ? { access_points: null } : {}),
      });
      if (jobId) openJobs(jobId);
      notify('ok', t('site_portal.saved'));
      // shown before the list is read anew, which replaces this card
      if (secrets) setSettings(secrets.settings);
      else await again();
    });
  };
  return (
    <div className={mayRead && template !== '' ? 'beside' : undefined}>
      <Card title={t('site_portal.settings')}>
        <div className="stack portal-fields" ref={form.fields}>
          <CheckField checked={enabled} onChange={setEnabled} disabled={!may}>
            {t('site_portal.enabled')}
          </CheckField>
          <SelectField
            label={t('site_portal.template')}
            value={template}
            options={[
              { value: '', label: t('site_portal.template_none') },
              ...known.map(({ id, name, version }) => ({
                value: id,
                label: t('site_portal.template_version', { name, version }),
              })),
            ]}
            onChange={setTemplate}
            error={form.wrong.template_id}
            disabled={!may}
            hint={
              <>
                {known.length === 0 && <span>{t('site_portal.templates_empty')} </span>}
                <Link to={template === '' ? '/config/template_manage' : `/auth_portal/${gwid}/${template}`}>
                  {t(template === '' ? 'site_portal.templates_open' : 'site_portal.template_page')}
                </Link>
              </>
            }
          />
          <SelectField
            label={t('site_portal.gateway')}
            value={choice}
            options={offered.map((value) => ({ value, label: t(gatewayTexts[value].name) }))}
            onChange={setChoice}
            hint={t(gatewayTexts[choice].about)}
            error={form.wrong.gateway}
            disabled={!may}
          />
          {gateway === 'edge' && (
            <CaptiveFields
              gwid={gwid}
              edge={edge}
              draft={captive}
              sent={sent}
              wrong={form.wrong}
              disabled={!may}
              onChange={setCaptive}
            />
          )}
          {choice === 'access_points' && (
            <AccessPointFields
              wireless={wireless}
              chosen={ssids}
              wrong={form.wrong}
              disabled={!may}
              onChange={setSsids}
            />
          )}
          {may && enabled && choice === 'access_points' && template !== '' && ssids.length > 0 && (
            <AccessPointEffects gwid={gwid} template={template} ssids={ssids} />
          )}
          {gateway !== 'edge' && (
            <CheckField
              checked={payHosts}
              onChange={setPayHosts}
              disabled={!may}
              hint={t('site_portal.pay_hosts_hint')}
            >
              {t('site_portal.pay_hosts')}
            </CheckField>
          )}
          <p className="quiet">{t('site_portal.outage')}</p>
          {site.url !== null && (
            <dl className="portal-facts">
              <dt>{t('site_portal.url')}</dt>
              <dd className="mono">{site.url}</dd>
              {site.gateway === 'edge' && (
                <>
                  <dt>{t('site_portal.captive_state')}</dt>
                  <dd>{t(edge.in_force ? 'site_portal.captive_in_force' : 'site_portal.captive_waiting')}</dd>
                </>
              )}
              <dt>{t('site_portal.seen')}</dt>
              <dd>{site.seen_at === null ? t('site_portal.seen_never') : <RelativeTime at={site.seen_at} />}</dd>
            </dl>
          )}
          {may && (
            <div className="row">
              <Button kind="primary" onClick={() => void save()} busy={form.busy}>
                {t('site_portal.save')}
              </Button>
            </div>
          )}
          {site.url !== null && <SiteSecret gwid={gwid} site={site} onSettings={setSettings} onChange={again} />}
        </div>
        {settings !== null && (
          <SettingsDialog
            settings={settings}
            onClose={() => {
              setSettings(null);
              void again();
            }}
          />
        )}
      </Card>
      {mayRead && template !== '' && (
        <Suspense fallback={<Skeleton height={640} />}>
          <SitePreview key={template} gwid={gwid} id={template} />
        </Suspense>
      )}
    </div>
  );
}

function SettingsDialog({ settings, onClose }: { settings: string; onClose: () => void }) {
  return (
    <Dialog
      wide
      title={t('site_portal.secret_title')}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          {t('site_portal.secret_done')}
        </Button>
      }
    >
      <p>{t('site_portal.secret_kept')}</p>
      <div className="portal-settings">
        <CopyText text={settings} label={t('site_portal.copy_settings')} />
      </div>
    </Dialog>
  );
}
