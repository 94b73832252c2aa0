import { methodText } from '../method-text.ts';

export const sponsorText = methodText({
  'zh-CN': {
    heading: '接待人同意',
    hint: '由您拜访的人通过邮件同意。',
    guest_name: '您的姓名',
    host_address: '接待人邮箱',
    ask: '请求同意',
    asked_title: '等待接待人同意',
    asked_text: '已发送邮件。接待人同意后，您会自动连接网络。请保持此页面打开。',
    asked_to_file:
      '本平台没有配置邮件服务，请求已写入服务器数据目录的 outbox.ndjson 文件。请联系网络管理员转告接待人，并保持此页面打开。',
    requests_title: '访客上网申请',
    request_text: '{guest} 申请上网。您认识这位访客吗？',
    approve: '同意',
    refuse: '拒绝',
    approved: '已同意，访客现在可以上网。',
    refused: '已拒绝。',
    over: '这个申请已处理或已过期。',
  },
  en: {
    heading: 'Approval by a host',
    hint: 'The person you visit approves by e-mail.',
    guest_name: 'Your name',
    host_address: 'E-mail of your host',
    ask: 'Ask for approval',
    asked_title: 'Waiting for your host',
    asked_text: 'The message has been sent. You will be connected once your host approves. Keep this page open.',
    asked_to_file:
      'This system has no mail provider: your request was written to outbox.ndjson in the server’s data folder. Ask the network’s administrator to pass it to your host, and keep this page open.',
    requests_title: 'A guest asks for access',
    request_text: '{guest} asks for Internet access. Do you know this guest?',
    approve: 'Approve',
    refuse: 'Refuse',
    approved: 'Approved. The guest can go online now.',
    refused: 'Refused.',
    over: 'This request has been answered or has expired.',
  },
});
