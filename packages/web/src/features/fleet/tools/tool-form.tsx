import { useState } from 'react';
import type { Data, Input } from '../../../app/api.ts';
import { ApiError } from '../../../app/api-error.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead, useWrite } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import type { ToolName } from './labels.ts';

type Offer = Data<'/api/v3/network/tool/offer'>;
type Asked = Omit<Input<'/api/v3/network/tool/run'>, 'serial' | 'tool'>;

const patterns = ['blink', 'on', 'off'] as const;
const seconds = ['10', '30', '60', '120'] as const;

interface Props {
  serial: string;
  online: boolean;
  onRun: (id: string) => void;
}

export function ToolForm({ serial, online, onRun }: Props) {
  const { data, error, refetch } = useRead('/api/v3/network/tool/offer', { serial });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={3}>
      {data && <Form offered={data.list} places={data.places} serial={serial} online={online} onRun={onRun} />}
    </Loading>
  );
}

function Form({ offered, places, serial, online, onRun }: Props & { offered: Offer['list']; places: Offer['places'] }) {
  const mayWrite = useMay('network.write');
  const [tool, setTool] = useState<ToolName>('ping');
  const [target, setTarget] = useState('');
  const [port, setPort] = useState('443');
  const [url, setUrl] = useState('');
  const [place, setPlace] = useState('');
  const [uplink, setUplink] = useState('');
  const [server, setServer] = useState('');
  const [filter, setFilter] = useState('');
  const [time, setTime] = useState<(typeof seconds)[number]>('30');
  const [pattern, setPattern] = useState<(typeof patterns)[number]>('blink');
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const run = useWrite('/api/v3/network/tool/run', ['/api/v3/network/tool/list', '/api/v3/job/list'], { quiet: true });
  const gate = offered.find((one) => one.tool === tool)?.why ?? null;
  const aimed = tool === 'ping' || tool === 'traceroute' || tool === 'dns' || tool === 'tcp_check';
  const placed = (aimed || tool === 'http_check' || tool === 'speed') && places.length > 1;
  const why = !mayWrite
    ? t('tools.may_not')
    : gate
      ? t(`tools.gate_${gate}`)
      : online
        ? undefined
        : t('networks.offline_why');
  const start = async () => {
    if (aimed && target.trim() === '') return setWrong({ target: t('validation.required') });
    if (tool === 'http_check' && url.trim() === '') return setWrong({ url: t('validation.required') });
    setWrong({});
    const asked: Asked = {
      ...(aimed ? { target: target.trim() } : {}),
      ...(tool === 'tcp_check' ? { port: Number(port) } : {}),
      ...(tool === 'http_check' ? { url: url.trim() } : {}),
      ...(tool === 'dns' && server.trim() ? { server: server.trim() } : {}),
      ...(placed && uplink ? { place: uplink } : {}),
      ...(tool === 'trace'
        ? {
            seconds: Number(time),
            ...(place.trim() && { place: place.trim() }),
            ...(filter.trim() && { filter: filter.trim() }),
          }
        : {}),
      ...(tool === 'leds' ? { pattern, seconds: Number(time) } : {}),
    };
    try {
      onRun((await run.mutateAsync({ serial, tool, ...asked })).id);
    } catch (problem) {
      if (problem instanceof ApiError && problem.code === 422) {
        const texts = Object.keys(problem.fields).map((field) => [field, problem.field(field) ?? problem.message]);
        setWrong(Object.fromEntries(texts));
      } else notifyError(problem);
    }
  };
  return (
    <form
      className="stack stack-s"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!why) void start();
      }}
    >
      <SelectField
        label={t('tools.tool')}
        value={tool}
        onChange={setTool}
        options={offered.map((one) => ({ value: one.tool, label: t(`tools.name_${one.tool}`) }))}
        hint={t(`tools.what_${tool}`)}
      />
      {aimed && (
        <TextField
          label={t('tools.target')}
          value={target}
          onChange={setTarget}
          error={wrong.target}
          placeholder={tool === 'dns' ? 'www.example.com' : '223.5.5.5'}
          maxLength={253}
        />
      )}
      {tool === 'tcp_check' && (
        <TextField
          label={t('tools.port')}
          value={port}
          onChange={setPort}
          error={wrong.port}
          inputMode="numeric"
          maxLength={5}
        />
      )}
      {tool === 'http_check' && (
        <TextField
          label={t('tools.url')}
          value={url}
          onChange={setUrl}
          error={wrong.url}
          placeholder="https://www.example.com/"
          maxLength={1024}
        />
      )}
      {tool === 'dns' && (
        <TextField
          label={t('tools.server')}
          value={server}
          onChange={setServer}
          error={wrong.server}
          hint={t('tools.server_hint')}
          placeholder="223.5.5.5"
          maxLength={45}
        />
      )}
      {placed && (
        <SelectField
          label={t('tools.line')}
          value={uplink}
          onChange={setUplink}
          options={[{ value: '', label: t('tools.line_any') }, ...places.map((value) => ({ value, label: value }))]}
        />
      )}
      {tool === 'trace' && (
        <>
          <TextField
            label={t('tools.place')}
            value={place}
            onChange={setPlace}
            error={wrong.place}
            hint={t('tools.place_hint')}
            maxLength={31}
          />
          <TextField
            label={t('tools.filter')}
            value={filter}
            onChange={setFilter}
            error={wrong.filter}
            hint={t('tools.filter_hint')}
            placeholder="udp port 53"
            maxLength={200}
          />
        </>
      )}
      {tool === 'leds' && (
        <SelectField
          label={t('tools.pattern')}
          value={pattern}
          onChange={setPattern}
          options={patterns.map((value) => ({ value, label: t(`tools.pattern_${value}`) }))}
        />
      )}
      {(tool === 'trace' || tool === 'leds') && (
        <SelectField
          label={t('tools.seconds')}
          value={time}
          onChange={setTime}
          options={seconds.map((value) => ({ value, label: t('tools.seconds_n', { n: Number(value) }) }))}
        />
      )}
      <div className="row">
        <Button kind="primary" icon="play" type="submit" why={why} busy={run.isPending}>
          {t('tools.run')}
        </Button>
        {why && <span className="small dim">{why}</span>}
      </div>
    </form>
  );
}
