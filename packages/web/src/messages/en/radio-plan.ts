import type { radioPlan as source } from '../zh-cn/radio-plan.ts';

export const radioPlan: Record<keyof typeof source, string> = {
  'plan.body':
    'Proposes channels and transmit power from the access points’ reports and their latest scans. Nothing is pushed before you agree, and everything can be undone. 6 GHz is not planned.',
  'plan.step_scan': 'Scan first (optional)',
  'plan.step_scan_body':
    'Scans from online access points: the proposal improves, and clients may stutter for some seconds.',
  'plan.scan': 'Scan with all access points',
  'plan.step_propose': 'Then propose',
  'plan.dfs': 'Allow radar channels (52-144)',
  'plan.propose': 'Propose',
  'plan.history': 'Plans so far',
  'plan.none': 'No plan yet',
  'plan.changes': '{n, plural, =0 {Nothing to change} =1 {1 change} other {# changes}}',
  'plan.state_proposed': 'To be reviewed',
  'plan.state_applied': 'Applied',
  'plan.state_reverted': 'Taken back',
  'plan.state_discarded': 'Discarded',
  'plan.all': 'Back',
  'plan.based':
    'From the reports of {radios} radios; {scanned} of {aps} access points have scanned in the last seven days.',
  'plan.unscanned': 'Access points without a scan do not know their neighbours: their plan is a rough estimate.',
  'plan.nothing': 'Nothing to change',
  'plan.nothing_known':
    'The access points hardly interfere with each other. Foreign networks are unknown: scan, then generate another plan.',
  'plan.nothing_body': 'The channels are good enough: what could be gained is not worth interrupting clients.',
  'plan.chosen': 'Apply',
  'plan.unknown': 'Unknown',
  'plan.gain': 'Less interference',
  'plan.less': '{n}%',
  'plan.warn':
    'Radios of these access points restart, and clients drop for a moment. The changes become own settings of each access point.',
  'plan.none_chosen': 'Choose one access point at least',
  'plan.apply': '{n, plural, =1 {Apply to 1 access point} other {Apply to # access points}}',
  'plan.discard': 'Discard',
  'plan.revert': 'Restore previous settings',
};
