import { useState } from 'react';
import { ApiError } from '../../../app/api-error.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { preferences } from '../../../app/preferences.ts';
import { useSearch } from '../../../app/search.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { useFocusWrong } from '../../../ui/focus-wrong.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { SaveBar } from '../save-bar.tsx';
import { useDraft, useHeld } from '../unsaved.ts';
import { Apply } from './apply.tsx';
import { type Draft, draftOf, type Gate, type GatewayAnswer, isChanged, settingsOf, withLimit } from './draft.ts';
import { Lans } from './lans.tsx';
import { Lines } from './lines.tsx';
import { Restart } from './restart.tsx';
import { Forwards, Limits, Routes } from './rules.tsx';
import '../configuration.css';
import './gateway.css';

/** Settings of a network's gateway; nothing reaches it before what would change has been seen. */
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

/** Gates that stand beside their fields and need no line of their own, unless the field is shown. */
const blocking: readonly Gate[] = ['no_gateway', 'never_connected', 'firmware'];

/** What this gateway cannot do. */
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

/** Lists that are one field each. */
const lists = /\.(dns|probe|ports|tagged|days)$/;
/** Sockets to offer while nobody knows those of the box. */
const guessed = ['WAN1', 'LAN1', 'LAN2', 'LAN3', 'LAN4'];

/** `held`: the answer whose settings are changed; what the gateway can do is always the newest word. */
function Editor(props: { answer: GatewayAnswer; held: GatewayAnswer; reload: () => void }) {
  const { answer, held, reload } = props;
  const { gwid, gates } = answer;
  const { version, settings } = held;
  const mayWrite = useMay('config.write');
  const firmware = gates.includes('firmware');
  const readOnly = !mayWrite || firmware;
  const [{ limit_mac: terminal }] = useSearch();
  // who comes from a terminal finds an entry for it
  const limited = (own: Draft) => (terminal && !readOnly ? withLimit(own, terminal) : { draft: own, wanted: null });
  const { draft, setDraft, changed, forget } = useDraft<Draft>({
    name: 'gateway',
    basis: held,
    begin: (kept) => limited(kept ?? draftOf(settings)).draft,
    isChanged: (now) => isChanged(now, settings),
  });
  const [wanted] = useState(() => limited(draft).wanted);
  const [fields, setFields] = useState<ApiError['fields']>({});
  const [checking, setChecking] = useState(false);
  const [applying, setApplying] = useState(false);
  const box = useFocusWrong<HTMLDivElement>(fields);
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const said = (path: string) => {
    const own = `settings.${path}`;
    // of a list in one field, each entry is said there
    const inner = lists.test(path) ? Object.keys(fields).find((name) => name.startsWith(`${own}.`)) : undefined;
    return (fields[own] ?? fields[inner ?? own])?.[0];
  };
  const wrong = Object.keys(fields).length;
  const part = { said, readOnly };
  const used = [
    ...draft.lines.map(({ port }) => port),
    ...draft.networks.flatMap(({ ports, tagged }) => [...ports, ...tagged]),
  ];
  const ports = [...new Set([...(answer.ports.length > 0 ? answer.ports : guessed), ...used])];
  const free = ports.filter((port) => !used.includes(port));
  // a socket of a line is none of a LAN; one that is in both stays in sight, so that it can be taken out
  const outer = draft.lines.map(({ port }) => port);
  const inner = ports.filter(
    (port) => !outer.includes(port) || draft.networks.some((lan) => [...lan.ports, ...lan.tagged].includes(port)),
  );
  const lans = draft.networks.map(({ name }) => name);
  const refused = (error: unknown) => {
    setApplying(false);
    const wrongs = error instanceof ApiError ? error.fields : {};
    setFields({ ...wrongs });
    // what stands beside its field is not said in the corner too, over the buttons
    if (Object.keys(wrongs).length === 0) notifyError(error);
  };
  // what makes no sense is said beside its field before any dialog opens
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
  // what nobody has ever set would look like the device's own
  if (firmware && version === 0) return <Gates gates={gates} />;
  return (
    <div className="stack" ref={box}>
      {!mayWrite && <p className="notice">{t('wireless.readonly')}</p>}
      <Gates gates={gates} />
      {version === 0 && answer.gateway && !firmware && <p className="notice">{t('gateway.unsaved')}</p>}
      <Lines
        {...part}
        lines={draft.lines}
        ports={ports}
        free={free}
        gates={gates}
        change={(lines) => change({ lines })}
      />
      <Lans
        {...part}
        lans={draft.networks}
        ports={inner}
        free={free}
        gates={gates}
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
