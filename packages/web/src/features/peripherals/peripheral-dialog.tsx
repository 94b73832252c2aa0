import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { DeviceFront } from '../../ui/device/device-front.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { mac as macText } from '../../ui/format.ts';
import { NetworkPick } from '../../ui/networks-field.tsx';
import { FreeTextField, IpField, MacField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { drawnOf, type Peripheral, peripheralTypes, refreshPeripherals } from './peripheral.ts';

interface Props {
  peripheral: Peripheral | null;
  /** Network of the screen; null: the form asks. */
  network: { gwid: string; remark: string } | null;
  onClose: () => void;
}

const portRule = whole(1, 65_535);
const rdpPort = '3389';
const portOf = (text: string) => (text === '' ? null : Number(text));
const textOf = (port: number | null | undefined) => (port ? String(port) : '');

export function PeripheralDialog({ peripheral: shown, network: given, onClose }: Props) {
  // the list may reload
  const [peripheral] = useState(shown);
  const [name, setName] = useState(peripheral?.name ?? '');
  const [picked, setPicked] = useState(peripheral && { gwid: peripheral.gwid, remark: peripheral.network });
  const network = picked ?? given;
  const [type, setType] = useState(peripheral?.type ?? 'camera');
  const [group, setGroup] = useState(peripheral?.group ?? '');
  const [ip, setIp] = useState(peripheral?.ip ?? '');
  const [mac, setMac] = useState(peripheral?.mac ? macText(peripheral.mac) : '');
  const [mode, setMode] = useState(peripheral?.mode ?? 'tcp');
  const [detect, setDetect] = useState(textOf(peripheral?.detect_port) || '80');
  const [web, setWeb] = useState(textOf(peripheral?.web_port));
  const [shell, setShell] = useState(textOf(peripheral?.shell_port));
  const [screen, setScreen] = useState(textOf(peripheral?.screen_port));
  const { wrong, busy, fields, send } = useForm<
    'name' | 'gwid' | 'group' | 'ip' | 'mac' | 'detect_port' | 'web_port' | 'shell_port' | 'screen_port'
  >({
    4105: 'name',
  });
  const submit = () =>
    send(
      {
        name: fieldError('freeText', name),
        gwid: network ? null : t('validation.required'),
        group: fieldError('freeText', group, true),
        ip: fieldError('ip', ip),
        mac: fieldError('mac', mac, true),
        detect_port: mode === 'tcp' ? fieldError(portRule, detect) : null,
        web_port: fieldError(portRule, web, true),
        shell_port: fieldError(portRule, shell, true),
        screen_port: screen === rdpPort ? t('peripherals.rdp_port') : fieldError(portRule, screen, true),
      },
      async () => {
        const body = {
          gwid: network!.gwid,
          name,
          type,
          group: group.trim() || null,
          ip,
          mode,
          detect_port: mode === 'tcp' ? Number(detect) : null,
          mac: mac.replace(/[:-]/g, '').toLowerCase() || null,
          web_port: portOf(web),
          shell_port: portOf(shell),
          screen_port: portOf(screen),
        };
        if (peripheral) {
          const changes = changedFields<typeof body>(body, peripheral);
          await call('/api/v3/peripheral/update', { id: peripheral.id, ...changes });
        } else await call('/api/v3/peripheral/create', body);
        notify('ok', t('peripherals.saved', { name }));
        onClose();
        await refreshPeripherals();
      },
    );
  const port = { min: 1, max: 65_535 };
  return (
    <Dialog
      title={peripheral ? t('peripherals.edit_title', { name: peripheral.name }) : t('peripherals.create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(peripheral ? 'action.save' : 'peripherals.create')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <FreeTextField label={t('peripherals.name')} value={name} onChange={setName} error={wrong.name} autoFocus />
        <DeviceFront kind={drawnOf(type)} status={peripheral?.status ?? null} />
        <SelectField
          label={t('peripherals.type')}
          value={type}
          options={peripheralTypes.map((value) => ({ value, label: t(`peripherals.type_${value}`) }))}
          onChange={setType}
        />
        <div className="field-label">{t('peripherals.network')}</div>
        <NetworkPick label={t('peripherals.network')} value={network} onChange={setPicked} />
        {wrong.gwid && !network && (
          <p className="field-error" role="alert">
            {wrong.gwid}
          </p>
        )}
        <FreeTextField
          label={t('peripherals.group')}
          hint={t('peripherals.group_hint')}
          optional
          maxLength={32}
          value={group}
          onChange={setGroup}
          error={wrong.group}
        />
        <IpField
          label={t('peripherals.ip')}
          hint={t('peripherals.ip_hint')}
          value={ip}
          onChange={setIp}
          error={wrong.ip}
          placeholder="192.168.1.64"
        />
        <MacField
          label={t('peripherals.mac')}
          hint={t('peripherals.mac_hint')}
          optional
          value={mac}
          onChange={setMac}
          error={wrong.mac}
          placeholder="00:1A:2B:3C:4D:5E"
        />
        <SelectField
          label={t('peripherals.detection')}
          hint={t('peripherals.detection_hint')}
          value={mode}
          options={(['tcp', 'icmp'] as const).map((value) => ({ value, label: t(`peripherals.mode_${value}`) }))}
          onChange={setMode}
        />
        {mode === 'tcp' && (
          <NumberField
            label={t('peripherals.detect_port')}
            {...port}
            value={detect}
            onChange={setDetect}
            error={wrong.detect_port}
          />
        )}
        <NumberField
          label={t('peripherals.web_port')}
          optional
          {...port}
          value={web}
          onChange={setWeb}
          error={wrong.web_port}
        />
        <NumberField
          label={t('peripherals.shell_port')}
          optional
          {...port}
          value={shell}
          onChange={setShell}
          error={wrong.shell_port}
        />
        <NumberField
          label={t('peripherals.screen_port')}
          optional
          {...port}
          placeholder="5900"
          value={screen}
          onChange={setScreen}
          error={wrong.screen_port}
        />
      </div>
    </Dialog>
  );
}
