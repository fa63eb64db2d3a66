import { eventId, importId, paidOrder, subscription, userId } from './examples.ts'
import type { TagWords } from './operation-words.ts'

const order = { ...paidOrder, user_id: userId, transaction_id: '4200002026112000000000000001' }

export const integration = {
  title: { zh: '其他系统', en: 'Other systems' },
  description: {
    zh: '供公司的其他系统（CRM、客服中心、设备云）在服务器上调用，凭控制台“开发者”页创建的密钥：`Authorization: Bearer mk_…`。密钥只能放在服务器上，绝不放进小程序。每个密钥每分钟 600 次。webhooks 一节是我们向控制台登记的地址发送的事件，按 Standard Webhooks 签名：`webhook-id` 每次重发相同，`webhook-timestamp` 为 Unix 秒，`webhook-signature` 为 `v1,` 加 base64，轮换密钥后 24 小时内有两个。',
    en: "For the company's other systems (CRM, call centre, device cloud), called from their servers with a key of the console's page *Developers*: `Authorization: Bearer mk_…`. A key belongs on a server, never into a mini-program. 600 calls a minute and key. The webhooks are what we send to endpoints named in the console, signed by Standard Webhooks: `webhook-id` is the same on every try, `webhook-timestamp` in Unix seconds, `webhook-signature` is `v1,` and base64, for 24 hours after a rotation two of them.",
  },
  operations: {
    'GET /integration/entitlements': {
      operationId: 'getEntitlement',
      summary: { zh: '查询某人可以使用什么', en: 'Ask what somebody may use' },
      description: {
        zh: '`user_id`、`openid`、`serial_number` 三者恰好给一个。`is_active` 是结论，`reason` 是原因：`active_until` 使用中，`ended` 已到期，`never_had_days` 从未有过天数，`taken_back` 天数因退款或人工收回，`disabled` 账号已停用。到期时不发事件，请看 `expires_at`。权限 `entitlements:read`。',
        en: 'Give exactly one of `user_id`, `openid` and `serial_number`. `is_active` is the verdict and `reason` says why: `active_until`, `ended`, `never_had_days`, `taken_back` (by a refund or by hand), `disabled`. Nothing is sent when days end: `expires_at` says when. Scope `entitlements:read`.',
      },
      asks: ['openid'],
      answers: { 200: { zh: '此刻可以使用什么。', en: 'What may be used now.' } },
      answer: {
        user_id: userId,
        is_active: true,
        status: 'active',
        remaining_days: subscription.remaining_days,
        expires_at: subscription.expires_at,
        features: subscription.features,
        reason: 'active_until',
        server_time: '2026-11-20T08:00:21.000Z',
      },
    },
    'GET /integration/orders': {
      operationId: 'listAllOrders',
      summary: { zh: '列出全部订单', en: 'List orders of everybody' },
      description: {
        zh: '按创建时间由新到旧，可按时间、状态、渠道筛选；按渠道筛选而不给 `from` 时为最近 90 天。查询超过两秒时回答 `range_too_wide`。权限 `orders:read`。',
        en: 'Newest first by when they were made, narrowed by time, status and channel; by channel and without `from`, those of the last 90 days. What takes over two seconds is `range_too_wide`. Scope `orders:read`.',
      },
      asks: ['from', 'status'],
      answers: { 200: { zh: '一页订单。', en: 'A page of orders.' } },
      answer: { items: [order], next_cursor: null },
    },
    'GET /integration/orders/{out_trade_no}': {
      operationId: 'getAnyOrder',
      summary: { zh: '读取任一订单', en: 'Read any order' },
      description: {
        zh: '我们此刻所知的订单，不询问支付平台。权限 `orders:read`。',
        en: 'The order as we know it now; the payment platform is not asked. Scope `orders:read`.',
      },
      answers: { 200: { zh: '订单。', en: 'The order.' } },
      answer: { order },
    },
    'POST /integration/grants': {
      operationId: 'giveDays',
      summary: { zh: '赠送天数', en: 'Give days' },
      description: {
        zh: '给一位用户 1 至 31 天，例如客服补偿；`user_id` 与 `openid` 恰好给一个。每次赠送用自己的 `idempotency_key`，重试沿用：第一次 201，重复 200 且内容相同，用于别的内容则为 `idempotency_key_reused`。每个密钥对同一用户每个自然月（北京时间）合计最多 31 天。权限 `grants:write`。',
        en: 'Gives one user 1 to 31 days, as a call centre does that makes up for something; give exactly one of `user_id` and `openid`. Each gift has an `idempotency_key` of its own, kept for its retries: 201 at first, 200 with the same content on a repeat, `idempotency_key_reused` for another content. At most 31 days for one user by one key in a calendar month of Beijing. Scope `grants:write`.',
      },
      answers: {
        200: { zh: '以前已赠送，内容相同。', en: 'Was given before, as it was then.' },
        201: { zh: '已赠送。', en: 'Given.' },
      },
      request: {
        user_id: userId,
        days: 7,
        reason: 'Device was repaired',
        idempotency_key: 'case-20261120-17',
      },
      answer: {
        grant: {
          user_id: userId,
          seq: 2,
          days: 7,
          reason: 'Device was repaired',
          expires_at: '2026-12-27T08:00:21.000Z',
          created_at: '2026-11-20T08:00:21.000Z',
        },
      },
    },
    'GET /integration/events': {
      operationId: 'listEvents',
      summary: { zh: '查询事件', en: 'Ask for events' },
      description: {
        zh: '供不接收推送的系统轮询：`after` 之后的事件，同一对象的先后不变，内容与 webhooks 中各类型相同，保留 30 天。从出现启用的地址或有此权限的密钥起才记录事件。`has_more` 为真时请立即再问。权限 `events:read`。',
        en: 'For systems that poll: events after `after`, those of one subject in their order, told as the webhooks of their type, kept for 30 days. Events are kept from when an enabled endpoint or a key of this scope is there. Ask again at once where `has_more` is true. Scope `events:read`.',
      },
      asks: ['after'],
      answers: { 200: { zh: '此后的事件。', en: 'The events after it.' } },
      answer: {
        items: [
          {
            id: eventId,
            type: 'device.bound',
            timestamp: '2026-11-20T08:05:00.000Z',
            data: {
              seq: 1,
              serial_number: 'SN-7F3A91C2',
              user_id: userId,
              model: null,
              bound_at: '2026-11-20T08:05:00.000Z',
            },
          },
        ],
        has_more: false,
      },
    },
    'POST /integration/imports': {
      operationId: 'startImport',
      summary: { zh: '导入文件', en: 'Import a file' },
      description: {
        zh: '请求体为 `text/csv`（UTF-8，最大 64 MiB），`kind` 为 `subscribers`、`orders` 或 `bindings`；`dry_run=true` 只检查不写入。最多十个文件等待处理，再多为 429。文件保存后即回答 202，由工作进程逐行处理，用 `getImport` 查询。有一处错误则一行都不写入。同一 `source` 与 `source_id` 的行只导入一次，可放心重发。权限 `imports:write`。',
        en: 'The body is `text/csv` (UTF-8, 64 MiB at most), `kind` one of `subscribers`, `orders`, `bindings`; with `dry_run=true` it is checked and not written. Ten files may wait, more is 429. Answers 202 once the file is kept; a worker takes it over line by line, ask `getImport`. Of a file with one fault nothing is written. A line is taken over once for its `source` and `source_id`, so that a file may be sent again. Scope `imports:write`.',
      },
      asks: ['kind', 'dry_run'],
      stream: { type: 'text/csv', example: 'source,source_id,openid,days\nshop,1,oX4k9example,30\n' },
      answers: { 202: { zh: '文件已保存，等待处理。', en: 'The file is kept and waits for a worker.' } },
      answer: { id: importId },
    },
    'GET /integration/imports/{id}': {
      operationId: 'getImport',
      summary: { zh: '查询导入', en: 'Read an import' },
      description: {
        zh: '`state` 依次为 `waiting`、`checking`、`writing`，最后为 `done`；试运行为 `checked`，有错误为 `faulty`（最多列出 1000 处），撤销后为 `undone`。`users`、`days`、`fen` 为已写入的合计，试运行时为将写入的合计。权限 `imports:write`。',
        en: '`state` goes from `waiting` over `checking` and `writing` to `done`; a dry run ends `checked`, a file with faults `faulty` (1,000 are listed at most), one that was taken back is `undone`. `users`, `days` and `fen` add up what was written, in a dry run what would be. Scope `imports:write`.',
      },
      answers: { 200: { zh: '导入的进度与结果。', en: 'How far the import is, and what it came to.' } },
      answer: {
        id: importId,
        state: 'faulty',
        lines: 2,
        users: 0,
        days: 0,
        fen: 0,
        faults: [{ line: 3, column: 'days', message: 'takes an integer from 0 to 3660' }],
      },
    },
  },
} as const satisfies TagWords
