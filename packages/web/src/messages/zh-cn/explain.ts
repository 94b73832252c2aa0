/** What each number of the home page means, in the words of docs/metrics. */
export const explain = {
  'explain.attention.what':
    '离线的网络和设备，按离线时长从长到短排列，并附离线前最后一份报告里的终端数；拒绝配置、运行着并非由控制台下发的配置、等待分配网络的设备；七天内失败的任务。平台自身未运行期间设备是否在线无从得知，这段时间会在时长旁注明。',
  'explain.attention.source': '设备连接、设备对配置的答复，以及任务。每类最多列出 20 项，总数计全部。',
  'explain.routers.what':
    '账号中的网络数。网关在线的网络为在线；没有网关的网络，有任一设备在线即为在线。能运行但连不上控制台的设备，在这里就是离线。',
  'explain.routers.source': '设备与控制台之间的连接：建立、断开时立即变化，没有声响的最多 150 秒后变化。',
  'explain.aps.what': '网络中的 AP 数，及其中在线的；未绑定的 AP 不计；兼作网络网关的 AP 计入。',
  'explain.aps.source': '设备与控制台之间的连接：建立、断开时立即变化，没有声响的最多 150 秒后变化。',
  'explain.bands.what': '当前连在在线 AP 上的终端，按频段分列；同时连两个频段的终端在两边各算一次。',
  'explain.bands.source': 'AP 的状态报告，以及终端接入、离开的消息。',
  'explain.income.what': '今日零点以来的收入减去退款，单位为元；控制台以外的收款不计。',
  'explain.income.source': '账号的账本。',
  'explain.alarms.what': '正在发生的告警，按级别分列。',
  'explain.alarms.source': '告警功能；它提供之前没有数值，也不显示为 0。',
  'explain.online.what':
    '出现在已连接设备最新报告里的用户，无线、有线都算；今日累计是零点以来出现过的不同用户。一个 MAC 地址计为一个用户。',
  'explain.online.source': '设备的状态报告，以及终端接入、离开的消息。离线设备下面的用户无从得知。',
  'explain.auth.what': '当前在线用户中，已通过设备认证页面（Portal）的；今日累计是零点以来认证过的不同用户。',
  'explain.auth.source': '设备的状态报告；在别处登录的人无从得知。',
  'explain.intercept.what': '云安全拦截的请求。',
  'explain.intercept.source': '云安全功能；它提供之前没有数值，也不显示为 0。',
  'explain.flow.what':
    '今天和之前 6 天经上行口的字节，上下行合计。有网关的网络只算网关，没有网关的算各 AP，交换机不算。各类应用之和是来源所见，不一定等于总量。',
  'explain.flow.source':
    '上行端口的绝对计数之差：报告丢失、重复或迟到都不影响总和。应用分类只来自能区分应用的设备，没有来源时绝不猜测拆分。',
  'explain.trend.what':
    '每天的不同用户。新用户此前从未在本账号出现过，其余为老用户，两者之和等于当天用户。整天没有任何上报的日子是空缺，不是 0。',
  'explain.trend.source':
    '设备的状态报告，以及终端接入、离开的消息；今天的数字到零点为止一直在变。手机使用随机 MAC 时，新用户偏高。',
  'explain.wireless.what':
    '终端与 AP 之间的无线字节：下行发给终端，上行来自终端。今日从零点起；近 7 天含今天，上下行合计。与上行口流量是两回事。',
  'explain.wireless.source': 'AP 的绝对计数之差；整天没有上报的日子是空缺。',
  'explain.stage.what': '统计时段内经上行口的字节，口径同累计流量，按一天中的五个时段合计。',
  'explain.stage.source': '上行端口的绝对计数之差，按账号时区分时。',
  'explain.app_stage.what': '统计时段内各类应用的字节，每 4 小时一段。',
  'explain.app_stage.source': '能区分应用的设备；没有这类设备的网络不计入，也不估算。',
  'explain.auth_type.what': '统计时段内的认证用户，每人每天一次。设备只报告是否通过 Portal 认证，不区分认证方式。',
  'explain.auth_type.source': '设备的状态报告。',
  'explain.client_type.what': '统计时段内的不同用户，按终端平台分列；平台未知的不参与占比，另外注明。',
  'explain.client_type.source':
    '依次取自设备的指纹识别、认证页面的 User-Agent、主机名；更可靠的信息会替换之前的，过去的日子也随之更新。',
  'explain.app_times.what': '统计时段内各类应用的使用次数，从多到少；百分比是占全部次数的份额。',
  'explain.app_times.source': '能区分应用的设备。',
  'explain.user_label.what':
    '统计时段内出现过的用户，按首次出现分两组：最近 30 天内的，和更早的。趋势图里的“老用户”按天算，是另一个数。',
  'explain.user_label.source': '每个用户首次出现的记录。使用随机 MAC 的一台终端可能被算成多个用户。',
  'explain.client_time_block.what':
    '到访（一个用户、一个网络、一天）按出现的时段分布；跨过正午的一次到访会计入两个时段。',
  'explain.client_time_block.source': '终端的在线时段，按账号时区分时。',
  'explain.user_time.what': '到访按当天停留时长分布；同一天两次来访之间的时间不算停留。',
  'explain.user_time.source': '终端的在线时段。',
  'explain.terminal_type.what': '统计时段内的不同用户，按终端类型分列；类型未知的不参与占比，另外注明。',
  'explain.terminal_type.source': '依次取自设备的指纹识别、认证页面的 User-Agent、主机名。',
  'explain.terminal_brand.what': '用户最多的十个终端品牌；百分比是占品牌已知用户的份额，品牌未知的另外注明。',
  'explain.terminal_brand.source': '设备的指纹识别、主机名或 MAC 厂商；随机地址看不出厂商。',
} as const;
