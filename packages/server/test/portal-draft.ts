export const portalLimits = { minutes: 240, times_per_day: 0, up_kbps: 0, down_kbps: 0, devices: 1 };

export const portalDraft = (more: object = {}) => ({
  methods: [{ kind: 'password', ...portalLimits, password: 'welcome-2026' }],
  page: {
    title: { zh: '欢迎', en: 'Welcome' },
    logo: null,
    background: null,
    carousel: [] as string[],
    countdown: null as object | null,
    text: { zh: '', en: '' },
    terms: { zh: '', en: '' },
    colour: '#1264d8',
  },
  whitelist: [],
  jump: '',
  remember_days: 0,
  ...more,
});
