// One sentence per screen that is not built yet: what a person will be able to do there.
export const planned = {
  'planned.auth':
    '为这个网络开启或关闭上网认证：绑定模板、认证方式与顺序、认证范围、免认证名单、限速与漫游，并可用手机先试一遍。',
  'planned.auth_portal':
    '设计访客看到的认证页面：图片轮播、背景、认证按钮、文字与链接，手机实时预览，草稿、发布与历史版本。',
  'planned.sms_pay_log': '短信的余额、发送明细（时间、号码、结果、费用）与充值订单，以及每天的发送上限。',
  'planned.device_index':
    '登记并监测交换机、摄像头、打印机等外设：在线状态、最近离线时间，远程打开网页或终端，表格导入导出。',
  'planned.flow_monitor': '按应用、终端、线路看流量：最近 5 分钟到 1 天，与昨天对比，从一类应用一直看到单个连接。',
  'planned.audit': '按用户、MAC、IP、域名与时间查询上网行为记录，注明保存期限；每次导出都会记入日志。',
  'planned.sdwan_index': '异地组网的总览：网络与节点在线数、隧道状态、带宽使用、即将到期的组网，以及开通试用。',
  'planned.sdwan_package': '按节点数、国内/国外带宽与期限选择组网套餐，查看价格与试用条件。',
  'planned.sdwan_create': '五步创建组网：选对等、星型或树型，选节点，查网段冲突并一键映射，定访问控制，确认后部署。',
  'planned.sdwan_order': '组网订单的编号、套餐、金额、支付状态与发票。',
  'planned.sdwan_manage': '增删组网成员、改名、续期与删除；应用前先看会增减哪些隧道和路由。',
  'planned.sdwan_show': '一个组网的实时拓扑：每条隧道的时延、丢包与流量，路由表，以及从 A 到 B 的连通测试。',
  'planned.sdwan_group': '组网内的分组：成员、带宽与继承的策略，可在树上拖动调整。',
  'planned.sdwan_link_strategy': '按应用、网段、端口选择优先线路，设定丢包与时延的切换阈值和回切等待时间。',
  'planned.template_manage': '认证模板列表：缩略图、认证方式、被哪些网络使用、草稿或已发布，可复制与下发。',
  'planned.template_edit': '编辑一个认证模板：基本信息、1 到 8 种认证方式及各自限制、认证范围、页面与白名单。',
  'planned.template_add': '从预设样式开始新建认证模板，名称不可重复，至少选一种认证方式。',
  'planned.cloud_security': '防护设置、网址白名单与安全简报：拦截了什么、哪台终端受影响，可按事件放行。',
  'planned.plugin_index': '浏览并安装插件：说明、所需权限、与现有路由器的兼容性，以及已安装插件的运行状态。',
  'planned.plugin_apps': '已安装插件自己的页面，在隔离的窗口里运行。',
  'planned.alarm': '按根因归并的告警：级别、对象、持续时间与影响的用户；可确认、静默、指派并查看时间线。',
  'planned.alarm_subscribe': '什么告警、在什么时间、通过什么渠道、通知谁；保存前用过去 30 天的数据试算会发多少条。',
  'planned.billing_packages': '增值套餐的价格、期限与自动续费。',
  'planned.billing_cards': '上网充值卡的批次、面值、数量与使用情况，可打印、导出与作废。',
  'planned.billing_transactions': '收入、支出、退款与提现的流水，可筛选与导出。',
  'planned.billing_invoices': '为订单申请发票，查看开具进度并下载。',
} as const;
