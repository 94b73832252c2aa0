import { gatewayLimits } from '@yunxun/contract/gateway-limits';
import { uplinkName } from '@yunxun/contract/uplink-names';
import { publicProbe } from '@yunxun/contract/uplink-probe';
import { type ReactNode, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { Advanced } from '../../../ui/advanced.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { listed } from '../../../ui/refusal.ts';
import { MacField } from '../../../ui/rule-fields.tsx';
import {
  type Gate,
  type GatewayAnswer,
  mtuRange,
  type NamedCollision,
  newWan,
  type PortMtu,
  typedList,
  typedMac,
  usedExtras,
  type Wan,
  type WanExtra,
  wanExtras,
} from './draft.ts';
import { Amount, Choice, Collides, Entry, type Part, Section, Ssh } from './parts.tsx';

export function Wans(
  props: Part & {
    lines: Wan[];
    ports: readonly string[];
    free: readonly string[];
    gates: readonly Gate[];
    mtus: readonly PortMtu[];
    reported: GatewayAnswer['reported'];
    front: ReactNode;
    collisions: readonly NamedCollision[];
    change: (wans: Wan[]) => void;
  },
) {
  const { lines: wans, change, readOnly } = props;
  const why = wans.length >= gatewayLimits.lines ? t('gateway.lines_most', { most: gatewayLimits.lines }) : undefined;
  // several WANs may be VLANs of one port
  const port = props.free[0] ?? wans[0]?.port ?? props.ports[0] ?? 'WAN1';
  const swap = (at: number) =>
    change(wans.map((wan, index) => (index === at ? wans[at + 1]! : index === at + 1 ? wans[at]! : wan)));
  return (
    <Section
      title={t('gateway.lines')}
      hint={t('gateway.lines_hint')}
      error={props.errorAt('lines')}
      add={
        readOnly ? undefined : { label: t('gateway.add_line'), why, act: () => change([...wans, newWan(port, wans)]) }
      }
    >
      {props.front}
      {wans.map((wan, index) => (
        <WanEntry
          key={wan.ref}
          {...props}
          line={wan}
          at={`lines.${index}`}
          collides={props.collisions.filter((one) => one.line === index)}
          set={(part) => change(wans.map((each) => (each.ref === wan.ref ? { ...each, ...part } : each)))}
          up={index > 0 && !readOnly ? () => swap(index - 1) : undefined}
          remove={wans.length > 1 && !readOnly ? () => change(wans.filter((each) => each.ref !== wan.ref)) : undefined}
        />
      ))}
    </Section>
  );
}

function WanEntry(
  props: Part & {
    line: Wan;
    at: string;
    ports: readonly string[];
    gates: readonly Gate[];
    mtus: readonly PortMtu[];
    reported: GatewayAnswer['reported'];
    collides: readonly NamedCollision[];
    set: (part: Partial<Wan>) => void;
    up: (() => void) | undefined;
    remove: (() => void) | undefined;
  },
) {
  const { line: wan, at, errorAt, set, readOnly: disabled, gates } = props;
  const fixed = wan.addressing === 'static';
  // as it was opened: a field does not move while it is edited
  const [outside] = useState(() => usedExtras(wan));
  const rest = wanExtras.filter((field) => !outside.includes(field) && !(fixed && field === 'dns'));
  const isWrong = (field: WanExtra) => errorAt(`${at}.${field}`) !== undefined;
  const uses = props.reported.find((one) => one.interface === uplinkName(wan.port, wan.vlan ?? 0))?.subnet;
  const [collided] = props.collides;
  return (
    <Entry label={wan.name || t('gateway.line')} remove={props.remove}>
      {collided && (
        <Collides>
          {t('gateway.collides_line', {
            subnet: collided.subnet,
            lans: listed(props.collides.map(({ lanName }) => lanName)),
          })}
        </Collides>
      )}
      <TextField
        label={t('gateway.name')}
        value={wan.name}
        maxLength={gatewayLimits.nameLength}
        disabled={disabled}
        error={errorAt(`${at}.name`)}
        onChange={(name) => set({ name })}
        after={
          props.up && (
            <IconButton
              icon="chevron_down"
              className="gateway-up"
              label={t('gateway.prefer', { name: wan.name })}
              onClick={props.up}
            />
          )
        }
      />
      <SelectField
        label={t('gateway.port')}
        value={wan.port}
        disabled={disabled}
        error={errorAt(`${at}.port`)}
        options={props.ports.map((value) => ({ value, label: value }))}
        onChange={(port) => set({ port })}
      />
      <SelectField
        label={t('gateway.addressing')}
        value={wan.addressing}
        disabled={disabled}
        hint={
          fixed
            ? undefined
            : gates.includes('no_dhcp_client')
              ? t('gateway.gate_no_dhcp_client')
              : uses && t('gateway.uses', { address: uses })
        }
        options={(['dynamic', 'static'] as const).map((value) => ({ value, label: t(`gateway.addressing_${value}`) }))}
        onChange={(addressing) => set({ addressing })}
      />
      {fixed && (
        <>
          <TextField
            label={t('gateway.address')}
            value={wan.address ?? ''}
            placeholder="203.0.113.2/29"
            disabled={disabled}
            error={errorAt(`${at}.address`)}
            onChange={(text) => set({ address: text.trim() || null })}
          />
          <TextField
            label={t('gateway.next_hop')}
            value={wan.gateway ?? ''}
            placeholder="203.0.113.1"
            disabled={disabled}
            error={errorAt(`${at}.gateway`)}
            onChange={(text) => set({ gateway: text.trim() || null })}
          />
        </>
      )}
      {fixed && <Extra {...props} field="dns" />}
      {outside.map((field) => !(fixed && field === 'dns') && <Extra key={field} {...props} field={field} />)}
      <Advanced about={listed(rest.map(extraName))} wrong={rest.some(isWrong)}>
        {rest.map((field) => (
          <Extra key={field} {...props} field={field} />
        ))}
      </Advanced>
    </Entry>
  );
}

const extraName = (field: WanExtra) => t(`gateway.extra_${field}`);

type ExtraProps = Part & Pick<Parameters<typeof WanEntry>[0], 'line' | 'at' | 'gates' | 'mtus' | 'set'>;

function Extra(props: ExtraProps & { field: WanExtra }) {
  const { line: wan, at, errorAt, set, readOnly: disabled, gates, field } = props;
  const shaped = !gates.includes('no_shaping');
  const error = errorAt(`${at}.${field}`);
  switch (field) {
    case 'vlan':
    case 'mtu':
    case 'mac':
      return <Wire {...props} field={field} />;
    case 'dns':
      return (
        <Addresses
          label={t('gateway.dns')}
          value={wan.dns}
          disabled={disabled}
          hint={wan.addressing === 'static' ? undefined : t('gateway.dns_hint')}
          error={error}
          change={(dns) => set({ dns })}
        />
      );
    case 'probe':
      return (
        <Addresses
          label={t('gateway.probe')}
          value={wan.probe}
          disabled={disabled}
          hint={t('gateway.probe_hint', { address: publicProbe })}
          error={error}
          change={(probe) => set({ probe })}
        />
      );
    case 'down_mbps':
    case 'up_mbps': {
      const able = shaped && (field === 'up_mbps' || !gates.includes('no_ifb'));
      return (
        <Amount
          label={t(field === 'up_mbps' ? 'gateway.up' : 'gateway.down')}
          of="rate"
          value={wan[field]}
          disabled={disabled || !able}
          hint={t(able ? 'gateway.rate_hint' : 'gateway.rate_gate')}
          error={error}
          onChange={(value) => set({ [field]: value })}
        />
      );
    }
    case 'metered':
      return (
        <Choice
          label={t('gateway.metered')}
          on={wan.metered ?? false}
          hint={t(gates.includes('agent_outdated') ? 'gateway.gate_agent_outdated' : 'gateway.metered_hint')}
          disabled={disabled || (gates.includes('agent_outdated') && !wan.metered)}
          change={(metered) => set({ metered })}
        />
      );
    case 'ssh':
      return (
        <Ssh open={wan.ssh ?? false} hint={t('gateway.ssh_line')} disabled={disabled} change={(ssh) => set({ ssh })} />
      );
  }
}

function Wire(props: ExtraProps & { field: 'vlan' | 'mtu' | 'mac' }) {
  const { line: wan, at, errorAt, set, readOnly, gates, field } = props;
  const tags = !gates.includes('no_vlan');
  const outdated = gates.includes('agent_outdated');
  const error = errorAt(`${at}.${field}`);
  if (field === 'vlan')
    return (
      <Amount
        label={t('gateway.line_vlan')}
        of="lineVlan"
        value={wan.vlan ?? null}
        disabled={readOnly || (!tags && wan.vlan == null)}
        hint={tags ? t('gateway.line_vlan_hint') : t('gateway.gate_no_vlan')}
        error={error}
        onChange={(vlan) => set({ vlan })}
      />
    );
  if (field === 'mtu') {
    const { min, max } = mtuRange(props.mtus.find(({ port }) => port === wan.port));
    return (
      <Amount
        label={t('gateway.mtu')}
        within={[min, max]}
        value={wan.mtu ?? null}
        disabled={readOnly || (outdated && wan.mtu == null)}
        hint={outdated ? t('gateway.gate_agent_outdated') : t('gateway.mtu_hint', { min, max })}
        error={error}
        onChange={(mtu) => set({ mtu })}
      />
    );
  }
  return (
    <MacField
      label={t('gateway.line_mac')}
      optional
      value={wan.mac ?? ''}
      placeholder="00:1a:2b:3c:4d:5e"
      disabled={readOnly || (outdated && !wan.mac)}
      hint={outdated ? t('gateway.gate_agent_outdated') : t('gateway.line_mac_hint')}
      error={error}
      onChange={(text) => set({ mac: typedMac(text) || null })}
    />
  );
}

function Addresses(props: {
  label: string;
  value: readonly string[];
  disabled: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  change: (value: string[]) => void;
}) {
  const [text, setText] = useState(props.value.join(', '));
  return (
    <TextField
      label={props.label}
      value={text}
      disabled={props.disabled}
      hint={props.hint}
      error={props.error}
      onChange={(typed) => {
        setText(typed);
        props.change(typedList(typed));
      }}
    />
  );
}
