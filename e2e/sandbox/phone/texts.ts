const zh = {
  pageTitle: 'Meridian 手机',
  phone: '手机上的小程序',
  controls: '沙箱控制台',
  title: 'Meridian 理疗',
  days: '天',
  login: '微信登录',
  signedOut: '尚未登录',
  signedOutNote: '登录后查看订阅与订单',
  loading: '正在加载…',
  active: '订阅有效',
  inactive: '未开通订阅',
  inactiveNote: '开通后可使用完整报告与手动理疗',
  until: '有效期至',
  choosePlan: '选择套餐',
  perDay: '约 {price}/天',
  lasts: '{days} 天',
  total: '合计',
  payNow: '立即支付',
  loginFirst: '登录并支付',
  myOrders: '我的订单',
  myDevices: '我的设备',
  serial: '设备序列号',
  bind: '绑定',
  unbind: '解绑',
  scan: '扫描',
  scanned: '报告已保存，可查看完整内容',
  scannedLocked: '报告已保存，开通订阅后查看完整内容',
  confirmPayment: '确认支付',
  cancelPayment: '取消支付',
  method: '付款方式',
  balance: '沙箱零钱',
  orderNumber: '订单号',
  confirmAmount: '支付 {price}',
  noRealMoney: '沙箱环境，不会产生真实扣款',
  cancelled: '已取消支付，可稍后再付',
  closed: '订单已关闭，没有扣款，可重新支付',
  checking: '正在确认支付结果…',
  checkingText: '请稍候，通常只需几秒',
  paidTitle: '支付成功',
  paidText: '订阅已生效，剩余 {days} 天',
  pendingTitle: '结果确认中',
  pendingText: '支付平台尚未确认这笔款项。钱款不会丢失，稍后会自动更新。',
  checkAgain: '再查一次',
  done: '完成',
  sandbox: '沙箱',
  lead: '左边是用户的手机。这里的支付平台与微信登录是模拟的，签名、加密与通知都是真的。',
  user: '当前用户',
  newUser: '新用户',
  userNamed: '用户 {name}',
  weather: '平台天气',
  weatherOn: '{count} 项开启',
  weather_notice: '支付通知',
  weather_content: '通知的内容',
  weather_answer: '支付平台的应答',
  weather_refund: '退款',
  weather_program: '小程序平台',
  weather_drop: '丢失',
  weather_delay: '延迟 5 秒',
  weather_duplicate: '重复发送',
  weather_reorder: '顺序颠倒',
  weather_probe: '签名探测',
  weather_corrupt_byte: '内容被篡改',
  weather_wrong_key: '签名密钥错误',
  weather_unknown_serial: '未知的公钥序列号',
  weather_clock_skew: '时间慢十分钟',
  weather_wrong_amount: '金额错误',
  weather_wrong_currency: '币种错误',
  weather_wrong_app_id: '应用号错误',
  weather_wrong_mch_id: '商户号错误',
  weather_wrong_payer: '付款人不同',
  weather_error_before: '故障，未处理',
  weather_error_after: '已处理，却应答故障',
  weather_rate_limited: '频率限制',
  weather_html: '应答网页',
  weather_unsigned: '应答没有签名',
  weather_refund_abnormal: '退款异常',
  weather_refund_closed: '退款关闭',
  weather_token_expired: '访问凭证过期',
  weather_not_subscribed: '用户未订阅消息',
  weather_shipping_not_ready: '尚不能上传发货信息',
  clock: '时钟',
  clockIn: '快进',
  clockDays: '天',
  clockPass: '前进',
  clockPassing: '正在经过第 {day} 天，共 {days} 天…',
  clockPassed: '已前进 {days} 天',
  clockStands: '时钟不能移动：沙箱没有得到 DATABASE_URL。',
  messages: '服务通知',
  noMessages: '还没有收到通知',
  serviceMessage: 'Meridian 理疗',
  remindMe: '到期前提醒我',
  remindGranted: '已允许一次到期提醒',
  lastCalls: '最近的接口调用',
  noCalls: '还没有调用',
  unreachable: '无法连接服务器，请稍后再试',
  statusCreated: '待支付',
  statusPrepay: '待支付',
  statusPaid: '已支付',
  statusClosed: '已关闭',
  statusRefunded: '已退款',
  otherLanguage: 'English',
}

export type TextName = keyof typeof zh

const en: Record<TextName, string> = {
  pageTitle: 'Meridian phone',
  phone: 'The mini-program on the phone',
  controls: 'Sandbox controls',
  title: 'Meridian Therapy',
  days: 'days left',
  login: 'Log in with WeChat',
  signedOut: 'Not logged in',
  signedOutNote: 'Log in to see your subscription and orders',
  loading: 'Loading…',
  active: 'Subscription active',
  inactive: 'No subscription',
  inactiveNote: 'Subscribe for full reports and manual treatment',
  until: 'Valid until',
  choosePlan: 'Choose a plan',
  perDay: 'about {price} a day',
  lasts: '{days} days',
  total: 'Total',
  payNow: 'Pay now',
  loginFirst: 'Log in and pay',
  myOrders: 'My orders',
  myDevices: 'My devices',
  serial: 'Serial number',
  bind: 'Bind',
  unbind: 'Unbind',
  scan: 'Scan',
  scanned: 'Report stored, all of it is open to you',
  scannedLocked: 'Report stored, subscribe to see all of it',
  confirmPayment: 'Confirm payment',
  cancelPayment: 'Cancel payment',
  method: 'Paid with',
  balance: 'Sandbox balance',
  orderNumber: 'Order',
  confirmAmount: 'Pay {price}',
  noRealMoney: 'Sandbox: no real money moves',
  cancelled: 'Payment cancelled, you can pay later',
  closed: 'The order is closed and nothing was charged; you can pay again',
  checking: 'Confirming the payment…',
  checkingText: 'This usually takes a few seconds',
  paidTitle: 'Paid',
  paidText: 'Your subscription is active, {days} days left',
  pendingTitle: 'Not confirmed yet',
  pendingText: 'The payment platform has not confirmed it yet. Nothing is lost, this updates by itself.',
  checkAgain: 'Check again',
  done: 'Done',
  sandbox: 'sandbox',
  lead: 'Beside this is a user’s phone. Payment platform and login are played here; signatures, encryption and notifications are real.',
  user: 'User',
  newUser: 'New user',
  userNamed: 'User {name}',
  weather: 'Platform weather',
  weatherOn: '{count} on',
  weather_notice: 'Payment notifications',
  weather_content: 'What notifications say',
  weather_answer: 'Answers of the platform',
  weather_refund: 'Refunds',
  weather_program: 'Mini-program platform',
  weather_drop: 'Lost',
  weather_delay: 'Delayed by 5 s',
  weather_duplicate: 'Sent twice',
  weather_reorder: 'Out of order',
  weather_probe: 'Probing the signature',
  weather_corrupt_byte: 'A byte changed on the way',
  weather_wrong_key: 'Signed with a wrong key',
  weather_unknown_serial: 'Key with an unknown serial',
  weather_clock_skew: 'Clock ten minutes slow',
  weather_wrong_amount: 'Wrong amount',
  weather_wrong_currency: 'Wrong currency',
  weather_wrong_app_id: 'Wrong app id',
  weather_wrong_mch_id: 'Wrong merchant id',
  weather_wrong_payer: 'Another payer',
  weather_error_before: 'Down, nothing is done',
  weather_error_after: 'Done, but answered as failed',
  weather_rate_limited: 'Rate limited',
  weather_html: 'A web page instead',
  weather_unsigned: 'Without a signature',
  weather_refund_abnormal: 'Refunds end abnormal',
  weather_refund_closed: 'Refunds end closed',
  weather_token_expired: 'Access token expired',
  weather_not_subscribed: 'User does not allow messages',
  weather_shipping_not_ready: 'Not ready for shipping info',
  clock: 'Clock',
  clockIn: 'In',
  clockDays: 'days',
  clockPass: 'Go there',
  clockPassing: 'Day {day} of {days}…',
  clockPassed: '{days} days have passed',
  clockStands: 'The clock cannot be moved: the sandbox was given no DATABASE_URL.',
  messages: 'Messages from WeChat',
  noMessages: 'No message yet',
  serviceMessage: 'Meridian Therapy',
  remindMe: 'Remind me before it ends',
  remindGranted: 'One reminder is allowed',
  lastCalls: 'Latest API calls',
  noCalls: 'No calls yet',
  unreachable: 'The server cannot be reached, please try again',
  statusCreated: 'Unpaid',
  statusPrepay: 'Unpaid',
  statusPaid: 'Paid',
  statusClosed: 'Closed',
  statusRefunded: 'Refunded',
  otherLanguage: '中文',
}

export type Language = 'zh-CN' | 'en'

const stored = localStorage.getItem('language')
let current: Language = stored === 'en' || stored === 'zh-CN' ? stored : 'zh-CN'

export const language = (): Language => current

export function text(name: TextName, values: Record<string, string | number> = {}): string {
  const sentence = current === 'en' ? en[name] : zh[name]
  return Object.entries(values).reduce(
    (result, [key, value]) => result.replace(`{${key}}`, `${value}`),
    sentence,
  )
}

export function switchLanguage(): void {
  current = current === 'en' ? 'zh-CN' : 'en'
  localStorage.setItem('language', current)
  translatePage()
}

const isTextName = (name: string): name is TextName => Object.hasOwn(zh, name)

/** Fills in everything that is marked with `data-text` and `data-label`. */
export function translatePage(): void {
  document.documentElement.lang = current
  document.title = text('pageTitle')
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    const name = element.getAttribute('data-text') ?? ''
    if (isTextName(name)) element.textContent = text(name)
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    const name = element.getAttribute('data-label') ?? ''
    if (isTextName(name)) element.setAttribute('aria-label', text(name))
  }
}

export const yuan = (fen: number): string =>
  new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY' }).format(fen / 100)

export const day = (time: string): string =>
  new Intl.DateTimeFormat(current, { dateStyle: 'medium' }).format(new Date(time))

export const dayAndTime = (time: string): string =>
  new Intl.DateTimeFormat(current, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

export const clockTime = (time: string): string =>
  new Intl.DateTimeFormat('zh-CN', { timeStyle: 'short' }).format(new Date(time))
