import type { AuthorizedCall } from './access-token.ts'
import type { SubscribeMessage } from './mini-program.ts'

/** Sends one message that the user agreed to (protocol §9.4). Throws `not_subscribed` where the user did not. */
export async function sendSubscribeMessage(
  call: AuthorizedCall,
  { openid, templateId, page, data, state = 'formal' }: SubscribeMessage,
): Promise<void> {
  await call({
    name: 'subscribe_message',
    path: '/cgi-bin/message/subscribe/send',
    body: {
      touser: openid,
      template_id: templateId,
      ...(page !== undefined && { page }),
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, { value }])),
      miniprogram_state: state,
      lang: 'zh_CN',
    },
  })
}
