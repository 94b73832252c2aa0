import * as englishAlarms from './alarm-kinds-en.ts';
import * as chineseAlarms from './alarm-kinds-zh-cn.ts';
import * as english from './en.ts';
import { peripherals as englishPeripherals } from './en-peripherals.ts';
import { fapiao as englishFapiao } from './fapiao-en.ts';
import { fapiao as chineseFapiao } from './fapiao-zh-cn.ts';
import { imports as englishImports } from './imports-en.ts';
import { imports as chineseImports } from './imports-zh-cn.ts';
import { notices as englishNotices } from './notices-en.ts';
import { notices as chineseNotices } from './notices-zh-cn.ts';
import { payments as englishPayments } from './payments-en.ts';
import { payments as chinesePayments } from './payments-zh-cn.ts';
import { plugins as englishPlugins } from './plugins-en.ts';
import { plugins as chinesePlugins } from './plugins-zh-cn.ts';
import { portal as englishPortal } from './portal-en.ts';
import { portal as chinesePortal } from './portal-zh-cn.ts';
import { remotePages as englishRemotePages } from './remote-pages-en.ts';
import { remotePages as chineseRemotePages } from './remote-pages-zh-cn.ts';
import { reports as englishReports } from './reports-en.ts';
import { reports as chineseReports } from './reports-zh-cn.ts';
import * as englishSdwan from './sdwan-en.ts';
import * as chineseSdwan from './sdwan-zh-CN.ts';
import { shield as englishShield } from './shield-en.ts';
import { shield as chineseShield } from './shield-zh-CN.ts';
import { sms as englishSms } from './sms-en.ts';
import { sms as chineseSms } from './sms-zh-cn.ts';
import * as chinese from './zh-CN.ts';
import { peripherals as chinesePeripherals } from './zh-CN-peripherals.ts';

// a merged object would make the console bundle all parts; it needs two

export const zhCN = {
  ...chinese.validation,
  ...chinese.patternTexts,
  ...chinese.codeTexts,
  ...chinese.smsTexts,
  ...chinese.deliveries,
  ...chinese.files,
  ...chineseFapiao,
  ...chineseImports,
  ...chinesePeripherals,
  ...chineseAlarms.alarmNames,
  ...chineseAlarms.alarmSentences,
  ...chineseNotices,
  ...chinesePayments,
  ...chinesePlugins,
  ...chinesePortal,
  ...chineseRemotePages,
  ...chineseReports,
  ...chineseSdwan.sdwan,
  ...chineseShield,
  ...chineseSms,
} as const;

export const en = {
  ...english.validation,
  ...english.patternTexts,
  ...english.codeTexts,
  ...english.letters,
  ...english.deliveries,
  ...english.files,
  ...englishFapiao,
  ...englishImports,
  ...englishPeripherals,
  ...englishAlarms.alarmNames,
  ...englishAlarms.alarmSentences,
  ...englishNotices,
  ...englishPayments,
  ...englishPlugins,
  ...englishPortal,
  ...englishRemotePages,
  ...englishReports,
  ...englishSdwan.sdwan,
  ...englishShield,
  ...englishSms,
} as const;
