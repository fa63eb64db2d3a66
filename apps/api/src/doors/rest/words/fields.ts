import type { Told } from './operation-words.ts'
import type { SchemaName } from './schemas.ts'

const fen = (zh: string, en: string): Told => ({ zh: `${zh}，单位为分。`, en: `${en}, in fen (1/100 yuan).` })
const told = (zh: string, en: string): Told => ({ zh, en })

const code = told('`wx.login` 的新 code。', 'A fresh code of `wx.login`.')
const refreshToken = told('只能用一次。', 'Good for one use.')
const serialNumber = told(
  '4 至 32 个字母、数字或连字符；不分大小写。',
  '4 to 32 letters, digits or hyphens; in any case.',
)
const nextCursor = told(
  '下一页的 `cursor`；`null` 即末页。',
  '`cursor` of the next page; `null` at the last.',
)
const clientReportId = told(
  '客户端为报告起的编号：重发时沿用。',
  "The client's own id of a report: kept when it is sent again.",
)
const attribute = told(
  '可省略；`null` 和空字符串同为未知。',
  'May be left out; `null` and empty say unknown.',
)

/** What members of named schemas mean, where their names do not say it: units, forms, what null stands for. */
export const fieldWords: { readonly [Name in SchemaName]?: Readonly<Record<string, Told>> } = {
  Problem: {
    type: told('说明此 `code` 的网页。', 'The page that explains the code.'),
    title: told('给人看的一句话。', 'A sentence for people.'),
    code: told('按它判断。', 'Decide by this.'),
    request_id: told('求助时请告诉我们。', 'Name it when you ask for help.'),
    errors: told('`invalid_request` 时：哪些字段有误。', 'With `invalid_request`: which members are wrong.'),
    out_trade_no: told('相关的订单。', 'The order it is about.'),
  },
  LoginRequest: { code },
  RefreshRequest: { refresh_token: refreshToken },
  TokenPair: {
    access_token: told('放在 `Authorization: Bearer` 里。', 'Goes into `Authorization: Bearer`.'),
    refresh_token: refreshToken,
    expires_in: told('访问令牌的有效秒数。', 'Seconds that the access token is good for.'),
  },
  Me: {
    id: told('从不改变。', 'Never changes.'),
    nickname: told('`null`：未填。', '`null`: not given.'),
    avatar_url: told('`null`：未填。', '`null`: not given.'),
  },
  MeChanges: {
    nickname: told('省略则不变，`null` 或空则删除。', 'Absent stays, `null` or empty is removed.'),
    avatar_url: told(
      'https 地址；省略则不变，`null` 则删除。',
      'An https address; absent stays, `null` is removed.',
    ),
  },
  EraseRequest: { code, confirm: told('必须是 `DELETE`。', 'Has to be `DELETE`.') },
  MessagePermission: { template: told('我们对模板的称呼。', 'What we call the template.') },
  MessagePermissions: {
    items: told(
      '`template_id` 用于 `wx.requestSubscribeMessage`。',
      '`template_id` is for `wx.requestSubscribeMessage`.',
    ),
  },
  Plan: {
    code: told('购买时用的名称，从不改变。', 'What it is bought by; never changes.'),
    price_fen: fen('现价', 'Price'),
    list_price_fen: {
      zh: '划线价，单位为分；`null`：没有。',
      en: 'Price to strike out, in fen; `null`: none.',
    },
    badge: told('显示在套餐上的短语；`null`：没有。', 'A word to show on it; `null`: none.'),
    features: told('包含的功能；忽略未知的值。', 'What it opens; ignore values you do not know.'),
  },
  Sale: {
    allowed: told('此平台可否购买。', 'Whether this platform may buy.'),
    channel: told('付款方式；不可购买时为 `null`。', 'How it is paid; `null` where nothing may be bought.'),
    message: told('不可购买时给用户看的话，可为 `null`。', 'What to tell users who may not buy, or `null`.'),
  },
  Subscription: {
    is_active: told('现在是否有效：以此为准。', 'Whether it holds now: decide by this.'),
    remaining_days: told('剩余天数，向上取整。', 'Days left, rounded up.'),
    expires_at: told('`null`：从未有过天数。', '`null`: never had days.'),
    plan: told(
      '最近购买且未到期的套餐；只有赠送天数时为 `null`。',
      'The last purchase still unexpired; `null` where there are only days given.',
    ),
    features: told('现在可用的功能；忽略未知的值。', 'What may be used now; ignore values you do not know.'),
  },
  Order: {
    out_trade_no: told('订单号：`M` 加 26 个字符。', 'Its number: `M` and 26 characters.'),
    status: told(
      '`created` 已建立，`prepay` 待付，`paid` 已付，`closed` 已关闭，`refunded` 已退款。',
      '`created`, `prepay` (waits for the payment), `paid`, `closed`, `refunded`.',
    ),
    amount_fen: fen('应付金额', 'Amount'),
    refunded_fen: fen('已退金额', 'Refunded so far'),
    expires_at: told('未付则到此时关闭。', 'When it closes if nobody pays.'),
    paid_at: told('`null`：未付。', '`null`: not paid.'),
    closed_at: told('`null`：未关闭。', '`null`: not closed.'),
    imported: told('在其他系统支付，由导入带来。', 'Paid in another system, and imported.'),
  },
  PurchaseRequest: {
    plan_code: told('`listPlans` 的 `code`。', '`code` of `listPlans`.'),
    expected_amount_fen: fen('用户看到的价格', 'The price the user saw'),
    channels: told('客户端会哪些付款方式。', 'What the client can pay by.'),
    login_code: told(
      '虚拟支付用：`wx.login` 的新 code。',
      'For virtual payment: a fresh code of `wx.login`.',
    ),
  },
  Purchase: {
    payment_params: told(
      '原样交给微信；是哪一种，见 `order.channel`。',
      'Handed to WeChat unchanged; `order.channel` says which it is.',
    ),
  },
  VirtualPaymentParams: {
    signData: told('已签名的原文：不要解析后重组。', 'The very text that was signed: do not build it anew.'),
  },
  SheetError: {
    code: told('付款界面的 `errCode`。', '`errCode` of the sheet.'),
    number: told('该界面所用的商户单号。', 'The number that the sheet was opened for.'),
  },
  OrderList: { next_cursor: nextCursor },
  DeviceList: { next_cursor: nextCursor },
  ReportList: { next_cursor: nextCursor },
  BindRequest: {
    serial_number: serialNumber,
    mac_address: attribute,
    model: attribute,
    firmware_version: attribute,
    nickname: attribute,
    proof: told(
      '对质询的 HMAC-SHA-256：64 位十六进制、base64 或 base64url。',
      'HMAC-SHA-256 of the challenge: 64 hexadecimal digits, base64 or base64url.',
    ),
  },
  ChallengeRequest: { serial_number: serialNumber },
  Challenge: {
    nonce: told(
      '64 个十六进制字符；设备对这些字符签名。',
      '64 hexadecimal digits; the device signs these characters.',
    ),
    expires_at: told('此后作废。', 'Void from then on.'),
  },
  Device: {
    mac_address: told('`null`：未知。不同手机系统的地址不同。', '`null`: unknown. Differs per phone system.'),
    model: told('`null`：未知。', '`null`: unknown.'),
    firmware_version: told('`null`：未知。', '`null`: unknown.'),
    nickname: told('`null`：未填。', '`null`: not given.'),
  },
  ReportRequest: {
    client_report_id: clientReportId,
    serial_number: serialNumber,
    program_code: told('理疗所用的程序。', 'The program of a treatment.'),
    started_at: told('RFC 3339，可带时差。', 'RFC 3339, any offset.'),
    ended_at: told('不早于 `started_at`。', 'Not before `started_at`.'),
    summary: told('任意对象，嵌套有限。', 'Any object, nested to a bound.'),
    measurements: told('对象的数组，形状由设备决定。', 'Objects in the form of the device.'),
  },
  Report: {
    client_report_id: clientReportId,
    score: told('`null`：没有评分。', '`null`: no score.'),
    locked: told('测量值是否被保留。', 'Whether measurements are withheld.'),
    measurements: told('`locked` 为 true 时没有。', 'Absent where `locked` is true.'),
  },
  DiagnosisConfig: {
    version: told('每次发布加一。', 'Grows with every publication.'),
    programs: told(
      '`locked` 的程序没有参数。频率单位 Hz，脉宽单位微秒。',
      'A `locked` program has no parameters. Frequency in Hz, pulse width in microseconds.',
    ),
  },
}
