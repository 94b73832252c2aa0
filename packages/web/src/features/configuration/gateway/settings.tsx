import { useState } from 'react';
import { ApiError } from '../../../app/api-error.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { preferences } from '../../../app/preferences.ts';
import { useSearch } from '../../../app/search.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { SerialFront } from '../../../ui/device/device-front.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { useFocusWrong } from '../../../ui/focus-wrong.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Card } from '../../../ui/page.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { useDraft, useHeld } from '../../../ui/unsaved.ts';
import { Apply } from './apply.tsx';
import {
  collisionsOf,
  type Draft,
  draftOf,
  forClient,
  type Gate,
  type GatewayAnswer,
  isChanged,
  settingsOf,
} from './draft.ts';
import { Lans } from './lans.tsx';
import { Restart } from './restart.tsx';
import { Forwards, Limits, Routes } from './rules.tsx';
import { Wans } from './wans.tsx';
import '../configuration.css';
import './gateway.css';

export function Gateway({ gwid }: { gwid: string }) {
  const { data, error, refetch } = useRead('/api/v3/network/gateway/get', { gwid });
  const held = useHeld('gateway', data);
  if (error && !data) {
    return (
      <Card>
        <Failed error={error} retry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <Loading until={data !== undefined} lines={10}>
      {data && held && <Editor key={held.version} answer={data} held={held} reload={() => void refetch()} />}
    </Loading>
  );
}

/** Gates that make the others irrelevant. */
const blocking: readonly Gate[] = ['no_gateway', 'never_connected', 'firmware'];

function Gates({ gates }: { gates: readonly Gate[] }) {
  if (gates.length === 0) return <p className="notice notice-ok">{t('gateway.gates_none')}</p>;
  const stopped = gates.some((gate) => blocking.includes(gate));
  return (
    <div className={gates.includes('firmware') ? 'notice notice-warn' : 'notice'}>
      <Icon name="info" size={16} />
      <div>
        {!stopped && <p>{t('gateway.gates')}</p>}
        <ul>
          {gates.map((gate) => (
            <li key={gate}>{t(`gateway.gate_${gate}`)}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const lists = /\.(dns|probe|ports|tagged|days)$/;
/** Ports offered until the gateway has reported its own. */
const guessed = ['WAN1', 'LAN1', 'LAN2', 'LAN3', 'LAN4'];

/** `held`: the draft's base; capabilities are the newest. */
function Editor(props: { answer: GatewayAnswer; held: GatewayAnswer; reload: () => void }) {
  const { answer, held, reload } = props;
  const { gwid, gates } = answer;
  const { version, settings } = held;
  const mayWrite = useMay('config.write');
  const firmware = gates.includes('firmware');
  const readOnly = !mayWrite || firmware;
  const [search] = useSearch();
  const begun = (own: Draft) => (readOnly ? null : forClient(own, search)) ?? { draft: own, wanted: null };
  const { draft, setDraft, changed, forget } = useDraft<Draft>({
    name: 'gateway',
    basis: held,
    begin: (kept) => begun(kept ?? draftOf(settings)).draft,
    isChanged: (now) => isChanged(now, settings),
  });
  const [wanted] = useState(() => begun(draft).wanted);
  const [fields, setFields] = useState<ApiError['fields']>({});
  const [checking, setChecking] = useState(false);
  const [applying, setApplying] = useState(false);
  const box = useFocusWrong<HTMLDivElement>(fields);
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const errorAt = (path: string) => {
    const own = `settings.${path}`;
    const inner = lists.test(path) ? Object.keys(fields).find((name) => name.startsWith(`${own}.`)) : undefined;
    return (fields[own] ?? fields[inner ?? own])?.[0];
  };
  const wrong = Object.keys(fields).length;
  const part = { errorAt, readOnly };
  const used = [
    ...draft.lines.map(({ port }) => port),
    ...draft.networks.flatMap(({ ports, tagged }) => [...ports, ...tagged]),
  ];
  const ports = [...new Set([...(answer.ports.length > 0 ? answer.ports : guessed), ...used])];
  const free = ports.filter((port) => !used.includes(port));
  // not in a LAN; a conflicting one stays visible, to be removed
  const outer = draft.lines.flatMap(({ port, vlan }) => (vlan == null ? [port] : []));
  const inner = ports.filter(
    (port) => !outer.includes(port) || draft.networks.some((lan) => [...lan.ports, ...lan.tagged].includes(port)),
  );
  const collisions = collisionsOf(draft, answer.reported);
  const lans = draft.networks.map(({ name }) => name);
  const refused = (error: unknown) => {
    setApplying(false);
    const wrongs = error instanceof ApiError ? error.fields : {};
    setFields({ ...wrongs });
    // errors shown at fields need no toast
    if (Object.keys(wrongs).length === 0) notifyError(error);
  };
  const check = async () => {
    setChecking(true);
    setFields({});
    try {
      await call('/api/v3/network/gateway/preview', { gwid, settings: settingsOf(draft) });
      setApplying(true);
    } catch (error) {
      refused(error);
    }
    setChecking(false);
  };
  // default values would look like the device's own
  if (firmware && version === 0) return <Gates gates={gates} />;
  return (
    <div className="stack" ref={box}>
      {!mayWrite && <p className="notice">{t('wireless.readonly')}</p>}
      <Gates gates={gates} />
      {search.lease_mac && !readOnly && wanted === null && <p className="notice">{t('gateway.lease_no_lan')}</p>}
      {version === 0 && answer.gateway && !firmware && (
        <p className="notice">{t(held.origin === 'running' ? 'gateway.unsaved_running' : 'gateway.unsaved')}</p>
      )}
      <Wans
        {...part}
        lines={draft.lines}
        ports={ports}
        free={free}
        gates={gates}
        mtus={answer.mtus}
        reported={answer.reported}
        front={answer.gateway && <SerialFront serial={answer.gateway.serial} />}
        collisions={collisions}
        change={(wans) => change({ lines: wans })}
      />
      <Lans
        {...part}
        lans={draft.networks}
        reported={answer.reported}
        collisions={collisions}
        ports={inner}
        free={free}
        gates={gates}
        wanted={wanted}
        change={(networks) => change({ networks })}
      />
      <Forwards {...part} list={draft.forwards} change={(forwards) => change({ forwards })} />
      <Routes {...part} list={draft.routes} change={(routes) => change({ routes })} />
      <Limits
        {...part}
        list={draft.limits}
        lans={lans}
        gates={gates}
        wanted={wanted}
        change={(limits) => change({ limits })}
      />
      <Restart
        {...part}
        reboot={draft.reboot}
        timeZone={preferences().timeZone ?? 'Asia/Shanghai'}
        gates={gates}
        change={(reboot) => change({ reboot })}
      />
      <SaveBar changed={changed} overtaken={version !== answer.version} wrong={wrong} saved={held}>
        {mayWrite && (
          <>
            <Button
              disabled={!changed}
              onClick={() => {
                setFields({});
                setDraft(draftOf(settings));
              }}
            >
              {t('wireless.discard')}
            </Button>
            <Button
              kind="primary"
              busy={checking}
              disabled={!changed && version > 0}
              why={firmware ? t('gateway.gate_firmware') : undefined}
              onClick={() => void check()}
            >
              {t('gateway.review')}
            </Button>
          </>
        )}
      </SaveBar>
      {applying && (
        <Apply
          gwid={gwid}
          version={version}
          draft={draft}
          saved={version > 0 ? settings : null}
          onConfirm={(confirm_s) => change({ confirm_s })}
          onTakePort53={(take_port53) => change({ take_port53 })}
          onClose={() => setApplying(false)}
          onSaved={() => {
            forget();
            setFields({});
            setApplying(false);
          }}
          onRefused={refused}
          onReload={() => {
            setApplying(false);
            forget();
            reload();
          }}
        />
      )}
    </div>
  );
}
