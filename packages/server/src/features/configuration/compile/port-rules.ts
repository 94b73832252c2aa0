import { switches } from '@yunxun/contract';
import { portRuns } from '@yunxun/contract/rules';
import type { OwnPort, PortFacts } from './intent.ts';

type PortRule = switches.PortRule;

export interface PortInForce {
  settings: switches.PortSettings;
  from: 'own' | 'rule' | 'usual';
  gate: (typeof switches.ruleGates)[number] | null;
}

export function ruleFor(rules: readonly PortRule[], port: string): PortRule | undefined {
  const number = Number(port.slice('Ethernet'.length));
  return rules.findLast(({ ports }) => portRuns(ports)?.some(({ from, to }) => from <= number && number <= to));
}

/**
 * Merges own port settings over template rules. A rule covers many switches, so it skips ports where it would disable
 * an uplink, move it out of VLAN 1 or cut its PoE; without a known uplink it skips all, because a disconnected switch
 * cannot be restored. A missing LLDP neighbour proves nothing. Own settings are unchecked: they were saved for this
 * port.
 */
export function portsInForce(
  ports: readonly PortFacts[],
  rules: readonly PortRule[],
  own: readonly OwnPort[],
): Map<string, PortInForce> {
  const owns = new Map(own.map((port) => [port.port, port]));
  const known = ports.some(({ uplink }) => uplink);
  return new Map(
    ports.map((facts): [string, PortInForce] => {
      const { name, uplink } = facts;
      const [rule, usual, mine] = [ruleFor(rules, name), switches.usualPort(name), owns.get(name)];
      const decides = mine?.enabled !== undefined;
      const gate = rule && !decides && mayCut(rule, facts) && (uplink || !known);
      const { ports: _ports, ...reported } = rule && !gate ? rule : { ports: '' };
      return [
        name,
        {
          settings: { ...usual, ...reported, ...mine },
          from: decides ? 'own' : rule && !gate ? 'rule' : 'usual',
          gate: gate ? (uplink ? 'uplink' : 'uplink_unknown') : null,
        },
      ];
    }),
  );
}

function mayCut({ enabled, vlan, poe }: PortRule, facts: PortFacts): boolean {
  return !enabled || vlan !== switches.usualPort(facts.name).vlan || (facts.poe && !poe);
}

export function withoutRule(own: OwnPort, rules: readonly PortRule[]): OwnPort {
  if (!ruleFor(rules, own.port)) return own;
  const { enabled: _enabled, poe: _poe, vlan: _vlan, tagged: _tagged, ...rest } = own;
  return rest;
}
