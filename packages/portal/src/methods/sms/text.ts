import { methodText } from '../method-text.ts';

export const smsText = methodText({
  'zh-CN': {
    name: '短信验证码',
    heading: '短信验证码',
    hint: '用手机接收验证码。',
    hint_to_file: '暂时收不到短信。',
    phone: '手机号',
    code: '验证码',
    send_code: '获取验证码',
    send_again: '重新获取验证码',
    code_sent: '验证码已发送，{minutes} 分钟内有效。',
    code_to_file:
      '本平台没有配置短信服务，验证码已写入服务器数据目录的 outbox.ndjson 文件，{minutes} 分钟内有效。请向网络管理员索取。',
    sms_to_file:
      '本平台没有配置短信服务，收不到短信。验证码写在服务器数据目录的 outbox.ndjson 文件里，请向网络管理员索取。',
  },
  en: {
    name: 'SMS code',
    heading: 'Code by text message',
    hint: 'A code is sent to your mobile phone.',
    hint_to_file: 'No text messages arrive at present.',
    phone: 'Mobile number',
    code: 'Code',
    send_code: 'Send code',
    send_again: 'Send a new code',
    code_sent: 'The code has been sent. It is valid for {minutes} minutes.',
    code_to_file:
      'This system has no SMS provider: the code was written to outbox.ndjson in the server’s data folder. It is valid for {minutes} minutes. Ask the network’s administrator for it.',
    sms_to_file:
      'This system has no SMS provider: no text message arrives. Codes are written to outbox.ndjson in the server’s data folder. Ask the network’s administrator.',
  },
});
