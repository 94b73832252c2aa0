import { expect, it } from 'vitest';
import { draftOf, inputOf, newMethod } from './draft.ts';

const page = {
  title: { zh: '大堂', en: 'Lobby' },
  logo: null,
  background: null,
  carousel: [],
  countdown: null,
  colour: '#1f6feb',
  text: { zh: '', en: '' },
  terms: { zh: '', en: '' },
};
const detail = {
  id: '1',
  name: 'Staff',
  status: 'draft' as const,
  version: null,
  revision: 1,
  page,
  methods: [],
  whitelist: [],
  jump: '',
  hours: [],
  away: 'closed' as const,
  remember_days: 0,
  pictures: [],
  networks: [],
  updated_at: '2026-11-23T04:00:00Z',
  updated_by: 'ann',
};

it('takes one rule a line, whole with its commas', () => {
  const method = newMethod('oidc');
  const own = { ...method.own, allowed: ' groups=CN=Staff,OU=Wifi \n\n@example.com' };
  const { methods } = inputOf({ ...draftOf(detail), methods: [{ ...method, own }] });
  expect(methods[0]!.allowed).toEqual(['groups=CN=Staff,OU=Wifi', '@example.com']);
});
