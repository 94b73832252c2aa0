import { textOn } from './contrast.ts';
import { isLogin, type MethodKind, type Picture, type PortalPage } from './draft.ts';
import './preview.css';

export interface PreviewProps {
  page: PortalPage;
  methods: readonly MethodKind[];
  pictures: readonly Picture[];
  language: 'zh' | 'en';
  dark: boolean;
  /** Shows the picture before the guest is online instead of the sign-in. */
  countdown?: boolean;
}

const words = {
  zh: {
    ...{ one_click: '一键上网', password: '上网密码', voucher: '上网码', account: '账号', sms: '手机号' },
    ...{ code: '验证码', secret: '密码', connect: '连接', terms: '登录即表示同意以下条款', seconds: '秒后上网' },
    ...{ dynamic_password: '动态密码', recharge_card: '充值卡' },
    purchase: '购买上网套餐',
    sponsor: '接待人邮箱',
    ...{ oidc: '单位账号登录', wechat: '微信登录', wecom: '企业微信登录', dingtalk: '钉钉登录' },
  },
  en: {
    ...{ one_click: 'Connect', password: 'Wi-Fi password', voucher: 'Access code', account: 'Account' },
    ...{ sms: 'Mobile number', code: 'Code', secret: 'Password', connect: 'Connect' },
    ...{ terms: 'By signing in you accept these terms', seconds: 'seconds until you are online' },
    ...{ dynamic_password: 'Current password', recharge_card: 'Recharge card' },
    purchase: 'Buy access',
    sponsor: 'E-mail of your host',
    ...{ oidc: 'Account of your organisation', wechat: 'WeChat', wecom: 'WeCom', dingtalk: 'DingTalk' },
  },
} as const;

/** The guest's page as it will look, without function. */
export function PortalPreview({ page, methods, pictures, language, dark, countdown }: PreviewProps) {
  const says = words[language];
  const urlOf = (id: string | null) => pictures.find((picture) => picture.id === id)?.url;
  const of = (text: { zh: string; en: string }) => text[language] || text.zh;
  const background = urlOf(page.background);
  const { text } = textOn(page.colour);
  if (countdown && page.countdown)
    return (
      <div className="guest" data-dark={dark} lang={language}>
        <img className="guest-full" src={urlOf(page.countdown.picture)} alt="" />
        <p className="guest-seconds">
          {page.countdown.seconds} {says.seconds}
        </p>
      </div>
    );
  return (
    <div
      className="guest"
      data-dark={dark}
      lang={language}
      style={background ? { backgroundImage: `url("${background}")` } : undefined}
    >
      {page.logo && <img className="guest-logo" src={urlOf(page.logo)} alt="" />}
      {page.carousel.length > 0 && (
        <div className="guest-slides">
          {page.carousel.map((id) => (
            <img key={id} src={urlOf(id)} alt="" />
          ))}
        </div>
      )}
      <div className="guest-card">
        <p className="guest-title">{of(page.title)}</p>
        {of(page.text) && <p className="guest-text">{of(page.text)}</p>}
        {methods.map((kind) => (
          <div key={kind} className="guest-method">
            {kind !== 'one_click' && !isLogin(kind) && <span className="guest-input">{says[kind]}</span>}
            {kind === 'account' && <span className="guest-input">{says.secret}</span>}
            {kind === 'sms' && <span className="guest-input">{says.code}</span>}
            <span className="guest-button" style={{ background: page.colour, color: text }}>
              {kind === 'one_click' || isLogin(kind) ? says[kind] : says.connect}
            </span>
          </div>
        ))}
        {of(page.terms) && (
          <div className="guest-terms">
            <p>{says.terms}</p>
            <p>{of(page.terms)}</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** The page in small; `width` in pixels. */
export function Thumbnail({ width, ...props }: PreviewProps & { width: number }) {
  return (
    <span className="thumbnail" aria-hidden="true" style={{ width, height: width * 1.6 }}>
      <span className="thumbnail-page" style={{ transform: `scale(${width / 320})` }}>
        <PortalPreview {...props} />
      </span>
    </span>
  );
}
