import type { siteSilence as zh } from '../zh-cn/site-silence.ts';

export const siteSilence: Record<keyof typeof zh, string> = {
  'site_silence.title': 'Silence alarms of {name}',
  'site_silence.title_n': '{n, plural, =1 {Silence alarms of 1 network} other {Silence alarms of # networks}}',
  'site_silence.body':
    'Alarms of {n, plural, =1 {this network} other {these networks}}, later ones included, do not count in the bell and on the home page and are not sent. The silence ends automatically.',
  'site_silence.silence': 'Silence network',
  'site_silence.for': 'Duration',
  'site_silence.for_480': '8 hours',
  'site_silence.for_1440': '1 day',
  'site_silence.for_4320': '3 days',
  'site_silence.for_until': 'Until a time',
  'site_silence.until': 'Silent until',
  'site_silence.note': 'Note',
  'site_silence.saved': 'Alarms of {name} are silenced until {time}',
  'site_silence.saved_n':
    '{n, plural, =1 {Alarms of 1 network} other {Alarms of # networks}} are silenced until {time}',
  'site_silence.notice': '{person} silenced the alarms of this network until {time}',
  'site_silence.end': 'End silence',
  'site_silence.ended': 'Silence ended',
};
