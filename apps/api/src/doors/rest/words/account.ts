import { accountExport, me, permissions } from './examples.ts'
import type { TagWords } from './operation-words.ts'

const allowances = { zh: '每种消息还可发送的次数。', en: 'How many messages of each kind may still be sent.' }

export const account = {
  title: { zh: '账号', en: 'Account' },
  description: {
    zh: '登录者本人：资料、数据导出、注销，以及订阅消息的许可。',
    en: 'The signed-in person: profile, export of their data, erasure, and permissions for subscription messages.',
  },
  operations: {
    'GET /me': {
      operationId: 'getMe',
      summary: { zh: '读取本人资料', en: 'Read your profile' },
      description: {
        zh: '登录者的编号、昵称、头像和建立时间。`id` 从不改变，可作为您系统里的键；openid 不会给出。',
        en: 'Id, nickname, picture and date of the signed-in person. `id` never changes and can be a key in your system; the openid is not told.',
      },
      answers: { 200: { zh: '本人资料。', en: 'The profile.' } },
      answer: me,
    },
    'PUT /me': {
      operationId: 'updateMe',
      summary: { zh: '修改本人资料', en: 'Change your profile' },
      description: {
        zh: '只改所给的字段：省略则不变，`null` 或空字符串则删除。头像必须是 https 地址。可重复调用。',
        en: 'Changes the members it is given: one that is absent stays, `null` and an empty text remove it. A picture is an https address. Safe to repeat.',
      },
      answers: { 200: { zh: '修改后的资料。', en: 'The profile as it is now.' } },
      request: { nickname: '小林', avatar_url: me.avatar_url },
      answer: me,
    },
    'DELETE /me': {
      operationId: 'eraseMe',
      summary: { zh: '注销账号', en: 'Erase your account' },
      description: {
        zh: '**不可撤销。**注销本人账号并删除个人数据，所有会话结束。需要 `confirm: "DELETE"` 和本人刚取得的 `wx.login` code。有未完成的订单或退款时回答 `erasure_blocked`：先取消订单，或等退款完成。',
        en: '**Cannot be undone.** Erases the account and personal data and ends every session. Takes `confirm: "DELETE"` and a fresh `wx.login` code of the same person. An open order or refund is answered by `erasure_blocked`: cancel the order first, or wait for the refund.',
      },
      answers: { 204: { zh: '账号已注销。', en: 'The account is erased.' } },
      request: { confirm: 'DELETE', code: '0a3XyZ000aBcDe1fGh200IjKlM3XyZ0N' },
    },
    'GET /me/export': {
      operationId: 'exportMe',
      summary: { zh: '导出本人数据', en: 'Export your data' },
      description: {
        zh: '关于本人所保存的全部数据，作为一个 JSON 文件流式传送，可能很大：请保存为文件。每人每小时一次，过多则为 `rate_limited`。',
        en: 'Everything that is kept about the person, streamed as one JSON file that may be large: save it. Once per person and hour; more is `rate_limited`.',
      },
      answers: { 200: { zh: '附件：全部数据。', en: 'The data, as an attachment.' } },
      answer: accountExport,
    },
    'GET /me/message-permissions': {
      operationId: 'listMessagePermissions',
      summary: { zh: '读取消息许可', en: 'Read message permissions' },
      description: {
        zh: '可用的订阅消息模板、其微信模板编号和剩余次数。在调用 `wx.requestSubscribeMessage` 之前读取，用 `template_id` 询问用户。',
        en: 'The subscription messages in use, the template id WeChat knows them by, and how many may still be sent. Read it before `wx.requestSubscribeMessage` and ask the user by `template_id`.',
      },
      answers: { 200: allowances },
      answer: permissions,
    },
    'POST /me/message-permissions': {
      operationId: 'addMessagePermission',
      summary: { zh: '登记一次消息许可', en: 'Record a message permission' },
      description: {
        zh: '用户在 `wx.requestSubscribeMessage` 中点了允许之后调用，每次允许调用一次。**不可重复**：每次调用都会多计一次许可，所以没有收到回答时不要自动重试。',
        en: 'Call it once for each time the user accepted in `wx.requestSubscribeMessage`. **Not idempotent:** every call counts one more permission, so do not retry by yourself after a lost answer.',
      },
      answers: { 200: allowances },
      request: { template: 'expiry_reminder' },
      answer: permissions,
    },
  },
} as const satisfies TagWords
