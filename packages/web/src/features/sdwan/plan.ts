import type { Data, Input } from '../../app/api.ts';
import type { SdwanType } from './graph-layout.ts';

type CheckInput = Input<'/api/v3/sdwan/check'>;
export type Checked = Data<'/api/v3/sdwan/check'>;
export type PlanNode = CheckInput['nodes'][number];
export type PlanError = Checked['errors'][number];
export type Candidate = Data<'/api/v3/sdwan/candidate/list'>['list'][number];
export type Mode = CheckInput['mode'];

/** `pid` of the root of a tree. */
export const rootPid = '1';

export function nodeOf({ key, lans }: Pick<Candidate, 'key' | 'lans'>): PlanNode {
  return {
    key,
    role: '',
    pid: '',
    position: 1,
    widthband: 10,
    foreign_widthband: 0,
    host: null,
    group_id: null,
    lans: [...lans],
  };
}

export function patched(nodes: readonly PlanNode[], key: string, change: Partial<PlanNode>): PlanNode[] {
  return nodes.map((node) => (node.key === key ? { ...node, ...change } : node));
}

/** A second main centre takes the role from the first. */
export function withRole(nodes: readonly PlanNode[], key: string, role: PlanNode['role']): PlanNode[] {
  return nodes.map((node) => {
    if (node.key === key) return { ...node, role };
    return role !== '' && node.role === role ? { ...node, role: '' } : node;
  });
}

/** Its children come under its parent. */
export function withoutNode(nodes: readonly PlanNode[], key: string): PlanNode[] {
  const gone = nodes.find((node) => node.key === key);
  const above = gone && gone.pid !== rootPid ? gone.pid : '';
  return nodes.filter((node) => node.key !== key).map((node) => (node.pid === key ? { ...node, pid: above } : node));
}

/** Without a centre, the first node becomes it. */
export function fitted(type: SdwanType, nodes: readonly PlanNode[]): PlanNode[] {
  const main = nodes.find(({ role }) => role === 'main')?.key ?? nodes[0]?.key;
  return nodes.map((node) => {
    if (type === 1) return { ...node, role: '', pid: '' };
    const role = node.key === main ? 'main' : type === 2 && node.role === 'bak' ? 'bak' : '';
    if (type === 2) return { ...node, role, pid: '' };
    const pid = node.pid === '' || node.pid === rootPid ? main! : node.pid;
    return { ...node, role, pid: node.key === main ? rootPid : pid };
  });
}

/** Neither the node itself nor a descendant. */
export function parentsFor(nodes: readonly PlanNode[], key: string): string[] {
  const below = new Set([key]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const node of nodes) if (below.has(node.pid)) below.add(node.key);
  }
  return nodes.filter((node) => !below.has(node.key)).map((node) => node.key);
}

/** 1:1 mappings that the check offers. */
export function mapped(nodes: readonly PlanNode[], suggestions: Checked['suggestions']): PlanNode[] {
  return nodes.map((node) => ({
    ...node,
    lans: node.lans.map((lan) => {
      const offer = suggestions.find(({ key, prefix }) => key === node.key && prefix === lan.prefix);
      return offer ? { ...lan, as: offer.as } : lan;
    }),
  }));
}

export function planNode(node: PlanNode): PlanNode {
  const { key, role, pid, position, widthband, foreign_widthband, host, group_id, lans } = node;
  return { key, role, pid, position, widthband, foreign_widthband, host, group_id, lans };
}

/** Null if anything else differs. */
export function onlyRemoved<P extends { nodes: readonly PlanNode[] }>(before: P, after: P): string[] | null {
  const kept = new Set(after.nodes.map(({ key }) => key));
  const gone = before.nodes.filter(({ key }) => !kept.has(key)).map(({ key }) => key);
  const rest = { ...before, nodes: before.nodes.filter(({ key }) => kept.has(key)) };
  return gone.length > 0 && JSON.stringify(rest) === JSON.stringify(after) ? gone : null;
}

/** A removal is possible while the plan has other errors. */
export function addedErrors(before: readonly PlanError[], after: readonly PlanError[]): PlanError[] {
  const isKnown = (error: PlanError) =>
    before.some(({ code, key, field }) => code === error.code && key === error.key && field === error.field);
  return after.filter((error) => !isKnown(error));
}
