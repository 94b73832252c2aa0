/** Explanations of the home page's numbers, in the words of docs/metrics. */
export const explain = {
  'explain.strip.what':
    '在线的网络和设备、当前终端和访客、24 小时的上行口流量、今日零点起的收入和未恢复的告警。变化为与 24 小时前相比：网络、设备、访客、告警与当时的数量比；终端以最近一个整点小时与前一天同一小时比；外网流量与再前 24 小时比；收入与昨天截至同一时刻的收入比。访客按认证会话、终端按无线终端比较。曲线为最近 24 小时，收入为 14 天。时延和丢包率是各网关最差 WAN 15 分钟的平均值。',
  'explain.strip.source': '设备连接和离线记录、设备上报、上网认证会话、账号的账本和告警。没有权限查看的数字不显示。',
  'explain.tiles.what':
    '每个网络最严重的问题及持续时间，没有问题时为状态；当前终端数；最差 WAN 的时延和丢包率（15 分钟平均）；最近 24 个整点小时的无线终端数。有问题的网络在前，顺序与“当前问题”相同。超过 60 个网络时，只有有问题的网络单独显示，全部网络按标签分组；一个网络计入它的每个标签。',
  'explain.tiles.source': '告警、设备连接和设备上报。',
  'explain.problems.what':
    '有未恢复告警（不含由其他告警引起的）的网络，以及尚未产生告警的离线网络和设备；不含已静默的告警和维护时段。先按级别从重到轻，再按终端数从多到少，再按持续时间从长到短。终端数取自设备的最后一份报告。',
  'explain.problems.source': '每分钟评估一次的告警，以及设备与控制台之间的连接。',
  'explain.night.what':
    '账号时区 22:00 至次日 08:00 之间满 1 分钟的离线和告警，按网络和原因列出。随网关一起离线的设备，原因与网关相同。时长只计时段之内的部分。平台发起的重启、升级、下发以及维护时段单独列出；平台自身停机的时间不计入。终端数取自离线前最后一份报告，没有报告时为未知。',
  'explain.night.source': '离线记录（保留 400 天）和告警。',
  'explain.ranking.what':
    '问题最多的十个网络：先按未恢复告警，级别重的在前；再按 7 天内计划外的离线时长；再按名称。可用率包含计划内离线。终端和流量为最近 24 个整点小时：无线终端的平均数，以及 WAN 的字节数；没有 WAN 数据时取无线流量。',
  'explain.ranking.source': '告警、离线记录和设备报告。',
  'explain.attention.what': '拒绝配置、运行着并非由控制台下发的配置、等待分配网络的设备；七天内失败的任务。',
  'explain.attention.source': '设备对配置的答复、设备连接，以及任务。每类最多列出 20 项，总数计全部。',
  'explain.routers.what':
    '账号中的网络数。网关在线的网络为在线；没有网关的网络，有任一设备在线即为在线。能运行但连不上控制台的设备，在这里就是离线。',
  'explain.routers.source': '设备与控制台之间的连接：建立、断开时立即变化，没有声响的最多 150 秒后变化。',
  'explain.aps.what': '网络中的 AP 数，及其中在线的；未绑定的 AP 不计；兼作网络网关的 AP 计入。',
  'explain.aps.source': '设备与控制台之间的连接：建立、断开时立即变化，没有声响的最多 150 秒后变化。',
  'explain.bands.what': '当前连在在线 AP 上的终端，按频段分列；同时连两个频段的终端在两边各算一次。',
  'explain.bands.source': 'AP 的状态报告，以及终端接入、离开的消息。',
  'explain.income.what': '今日零点以来的收入减去退款，单位为元；控制台以外的收款不计。',
  'explain.income.source': '账号的账本。',
  'explain.alarms.what': '未恢复的告警，按级别分列：同一原因计一条，不含已静默的。',
  'explain.alarms.source': '告警规则，每分钟评估一次。',
  'explain.online.what':
    '出现在已连接设备最新报告里的用户，无线、有线都算；今日累计是零点以来出现过的不同用户。一个 MAC 地址计为一个用户。',
  'explain.online.source': '设备的状态报告，以及终端接入、离开的消息。离线设备下面的用户无从得知。',
  'explain.auth.what':
    '当前在线且已通过认证的用户；今日累计是零点以来认证过的不同用户。设备和上网认证都记录到的用户只计一次。',
  'explain.auth.source': '设备的状态报告和控制台自身的上网认证会话；在别处登录的人无从得知。',
  'explain.intercept.what': '今天被云安全拒绝的 DNS 查询。',
  'explain.intercept.source': '网关按小时统计，控制台每分钟读取一次；没有网络开启防护时没有数值，不显示为 0。',
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
  'explain.auth_type.what':
    '统计时段内的认证用户，每人每天一次，按当天最后一次会话的方式。设备只报告是否通过 Portal 认证，不区分认证方式。',
  'explain.auth_type.source': '上网认证会话（默认保留 180 天）；没有会话的用户取自设备的状态报告。',
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
