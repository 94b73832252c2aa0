export const siteSilence = {
  'site_silence.title': '静默 {name} 的告警',
  'site_silence.title_n': '静默 {n} 个网络的告警',
  'site_silence.body':
    '静默期间，{n, plural, =1 {该网络} other {这些网络}}的告警（包括之后产生的告警）不计入铃铛和首页数字，也不发送通知。到期后自动结束。',
  'site_silence.silence': '静默网络',
  'site_silence.for': '时长',
  'site_silence.for_480': '8 小时',
  'site_silence.for_1440': '1 天',
  'site_silence.for_4320': '3 天',
  'site_silence.for_until': '到指定时间',
  'site_silence.until': '静默至',
  'site_silence.note': '备注',
  'site_silence.saved': '{name} 的告警已静默至 {time}',
  'site_silence.saved_n': '{n} 个网络的告警已静默至 {time}',
  'site_silence.notice': '{person} 已静默该网络的告警，至 {time}',
  'site_silence.end': '结束静默',
  'site_silence.ended': '已结束静默',
};
