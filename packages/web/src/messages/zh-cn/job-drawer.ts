export const jobDrawer = {
  'jobs.latest': '最近任务',
  'jobs.all': '全部任务',
  'jobs.cancel_rest': '取消未开始的部分',
  'jobs.by': '由 {who} 发起',
  'jobs.on_device': '所在设备',
  'jobs.waiting_hint': '离线的设备上线后会自动继续，不需要您再操作。',
  'jobs.wave': '第 {n} 批：共 {devices} 项，已结束 {done} 项',
  'jobs.plan':
    '{rest, plural, =0 {各批依次进行} other {每批之后观察 # 分钟}}{stop, plural, =100 {。} other {；失败比例超过 #% 时停止。}}',
  'jobs.windows': '设备会等到所在网络的维护时段再开始。',
  'jobs.next_wave': '下一批最早于 {at} 开始。',
  'jobs.stopped_why': '已自动停止：已执行的 {decided} 台设备中，{bad} 台失败，{unwell} 台异常。',
  'jobs.unwell': '{name}：{reason}。',
} as const;
