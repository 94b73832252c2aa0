import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { SelectField, SwitchField, TextField } from '../../ui/field.tsx';
import { Conflict, useSaving } from '../../ui/saving.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { findingText, PreviewDevice } from '../configuration/index.ts';
import { type PortAnswer, type PortSettings, sourceText, speedText, withSettings } from './labels.ts';
import { isVlan, listed, vlans } from './vlans.ts';

/** Configurable speeds in Mbit/s (contract: portSpeeds). */
const speeds = [10, 100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000, 100_000, 200_000] as const;

type Trunk = 'network' | 'none' | 'some';

interface Draft {
  label: string;
  enabled: boolean;
  poe: boolean;
  vlan: string;
  trunk: Trunk;
  tagged: string;
  speed: string;
}

interface Props {
  data: PortAnswer;
  chosen: ReadonlySet<string>;
  onClose: () => void;
  onSaved: () => void;
  onReload: () => void;
}

function draftOf({ label, enabled, poe, vlan, tagged, speed }: PortSettings): Draft {
  const trunk: Trunk = tagged === null ? 'network' : tagged.length === 0 ? 'none' : 'some';
  return { label, enabled, poe, vlan: String(vlan), trunk, tagged: (tagged ?? []).join(', '), speed: `${speed ?? ''}` };
}

export function PortForm(props: Props) {
  const { data, chosen } = props;
  const first = data.ports.find(({ port }) => chosen.has(port))!;
  const one = chosen.size === 1;
  const [draft, setDraft] = useState(() => draftOf(first.settings));
  const [follows, setFollows] = useState(false);
  const [previewing, setPreviewing] = useState(false);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const wrongVlan = isVlan(draft.vlan) ? null : t('validation.between', vlans);
  const tagged = listed(draft.tagged);
  const wrongTagged =
    draft.trunk === 'some' && (tagged.length === 0 || !tagged.every(isVlan) || tagged.includes(draft.vlan))
      ? t('ports.tagged_wrong')
      : null;
  const given = data.ports.filter(({ port }) => chosen.has(port));
  const locked = given.filter(({ source }) => source.locked);
  // if a template locks every port, only label and speed are editable
  const disabled = locked.length === given.length;
  const change = {
    enabled: draft.enabled,
    poe: draft.poe,
    vlan: Number(draft.vlan),
    // with several ports, each keeps its label
    ...(one && { label: draft.label.trim() }),
    tagged: draft.trunk === 'network' ? null : draft.trunk === 'none' ? [] : [...new Set(tagged.map(Number))],
    speed: (speeds.find((speed) => String(speed) === draft.speed) ?? null) as PortSettings['speed'],
  };
  const ports = withSettings(data.ports, chosen, follows ? null : change);
  if (previewing) return <PortPreview {...props} ports={ports} onBack={() => setPreviewing(false)} />;
  return (
    <Dialog
      title={one ? t('ports.set_one', { port: first.port }) : t('ports.set', { n: chosen.size })}
      onClose={props.onClose}
      onSubmit={() => setPreviewing(true)}
      foot={
        <SendFoot onClose={props.onClose} disabled={!follows && (wrongVlan !== null || wrongTagged !== null)}>
          {t('ports.preview')}
        </SendFoot>
      }
    >
      {!one && <p className="quiet">{t('ports.set_several', { port: first.port })}</p>}
      {given.some(({ own }) => own) && (
        <SwitchField checked={follows} onChange={setFollows}>
          {t('ports.follow')}
        </SwitchField>
      )}
      {locked.length > 0 && (
        <p className="notice">{t('ports.locked_ports', { n: locked.length, from: sourceText(locked[0]!) })}</p>
      )}
      {!follows && (
        <Fields
          draft={draft}
          set={set}
          one={one}
          disabled={disabled}
          wrongVlan={wrongVlan}
          wrongTagged={wrongTagged}
          {...props}
        />
      )}
    </Dialog>
  );
}

/** Port fields; `disabled`: only label and speed are editable because of a template lock. */
function Fields(props: {
  data: PortAnswer;
  chosen: ReadonlySet<string>;
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  one: boolean;
  disabled: boolean;
  wrongVlan: string | null;
  wrongTagged: string | null;
}) {
  const { data, chosen, draft, set, one, disabled, wrongVlan, wrongTagged } = props;
  return (
    <>
      {one && (
        <TextField label={t('ports.label')} value={draft.label} maxLength={32} onChange={(label) => set({ label })} />
      )}
      <SwitchField checked={draft.enabled} disabled={disabled} onChange={(enabled) => set({ enabled })}>
        {t('ports.enabled')}
      </SwitchField>
      {data.ports.some((port) => chosen.has(port.port) && port.poe) && (
        <SwitchField checked={draft.poe} disabled={disabled} onChange={(poe) => set({ poe })}>
          {t('ports.poe_on')}
        </SwitchField>
      )}
      <TextField
        label={t('ports.untagged')}
        value={draft.vlan}
        inputMode="numeric"
        maxLength={4}
        disabled={disabled}
        error={wrongVlan}
        hint={t('ports.untagged_hint')}
        onChange={(vlan) => set({ vlan })}
      />
      <SelectField
        label={t('ports.tagged')}
        value={draft.trunk}
        disabled={disabled}
        options={(['network', 'none', 'some'] as const).map((value) => ({
          value,
          label:
            value === 'network'
              ? t('ports.tagged_network', { vlans: data.vlans.join(', ') || t('ports.no_vlans') })
              : t(`ports.tagged_${value}`),
        }))}
        onChange={(trunk) => set({ trunk })}
      />
      {draft.trunk === 'some' && (
        <TextField
          label={t('ports.tagged_list')}
          value={draft.tagged}
          error={draft.tagged === '' ? null : wrongTagged}
          placeholder="20, 30"
          disabled={disabled}
          onChange={(list) => set({ tagged: list })}
        />
      )}
      <SelectField
        label={t('ports.speed')}
        value={draft.speed}
        hint={t('ports.speed_hint')}
        options={[
          { value: '', label: t('ports.speed_auto') },
          ...speeds.map((speed) => ({ value: String(speed), label: speedText(speed) })),
        ]}
        onChange={(speed) => set({ speed })}
      />
    </>
  );
}

type Answer = Data<'/api/v3/switch/port/preview'>;

function PortPreview(props: Props & { ports: PortSettings[]; onBack: () => void }) {
  const { serial, version } = props.data;
  const { ports } = props;
  const { data, error, refetch } = useQuery<Answer>({
    queryKey: ['preview', serial, ports],
    queryFn: () => call('/api/v3/switch/port/preview', { serial, ports }),
    gcTime: 0,
    retry: false,
  });
  const { busy, conflict, send } = useSaving({
    ...props,
    save: () => call('/api/v3/switch/port/save', { serial, version, ports }),
    onRefused: (problem) => {
      notifyError(problem);
      for (const finding of findingsOf(problem)) notifyError(findingText(finding));
    },
  });
  if (conflict) return <Conflict {...props} title={t('ports.conflict')} body={t('ports.conflict_body')} />;
  const device = data?.devices[0];
  const blocked = !data || data.totals.wrong > 0;
  return (
    <Dialog
      wide
      title={t('ports.preview_title')}
      onClose={props.onClose}
      onSubmit={send}
      foot={
        <>
          <Button onClick={props.onBack}>{t('ports.back')}</Button>
          <SendFoot onClose={props.onClose} busy={busy} disabled={blocked}>
            {device?.effect === 'changed' ? t('ports.push') : t('wireless.save_only')}
          </SendFoot>
        </>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={5}>
          {device && <PreviewDevice device={device} />}
          {device?.status !== 'online' && <p className="notice">{t('ports.preview_offline')}</p>}
        </Loading>
      )}
    </Dialog>
  );
}

type Finding = Parameters<typeof findingText>[0];

function findingsOf(problem: unknown): Finding[] {
  if (!(problem instanceof ApiError) || !Array.isArray(problem.data.findings)) return [];
  return problem.data.findings as Finding[];
}
