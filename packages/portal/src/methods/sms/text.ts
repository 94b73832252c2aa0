import { methodText } from '../method-text.ts';

export const smsText = methodText({
  'zh-CN': {
    heading: '短信验证码',
    hint: '用手机接收验证码。',
    hint_to_file: '暂时收不到短信。',
    phone: '手机号',
    code: '验证码',
    send_code: '获取验证码',
    send_again: '重新获取验证码',
    code_sent: '验证码已发送，{minutes} 分钟内有效。',
    code_to_file: '这里暂时无法发送短信，验证码没有发到您的手机。请在 {minutes} 分钟内向工作人员索取。',
    sms_to_file: '这里暂时无法发送短信，您的手机收不到验证码。请向工作人员索取。',
  },
  en: {
    heading: 'Code by text message',
    hint: 'A code is sent to your mobile phone.',
    hint_to_file: 'No text messages arrive at present.',
    phone: 'Mobile number',
    code: 'Code',
    send_code: 'Send code',
    send_again: 'Send a new code',
    code_sent: 'The code has been sent. It is valid for {minutes} minutes.',
    code_to_file:
      'Text messages cannot be sent here at the moment, so the code has not reached your phone. Ask the staff for it within {minutes} minutes.',
    sms_to_file:
      'Text messages cannot be sent here at the moment, so no code will reach your phone. Ask the staff for it.',
  },
});
