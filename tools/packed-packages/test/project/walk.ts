import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import {
  bindDevice,
  getEntitlement,
  listPlans,
  logIn,
  type PurchasePlanResponse,
  purchasePlan,
} from './client'
import { createClient } from './client/client'

// Another system of the company and its mini-program, in a project of their own: the client is generated from the document
// of the running API, the money comes from the installed sandbox. What it was given stands in its one argument.
type Given = { apiUrl: string; sandboxUrl: string; apiKey: string; secret: string; port: number }
const { apiUrl, sandboxUrl, apiKey, secret, port }: Given = JSON.parse(process.argv[2] ?? '{}')

type OrderPaid = { type: 'order.paid'; data: { order: { out_trade_no: string; amount_fen: number } } }

/** The first event `order.paid`, its signature verified; and whether the same with one byte more is refused. */
function receiveOrderPaid(): Promise<{ event: OrderPaid; isForgeryRefused: boolean }> {
  const webhook = new Webhook(secret)
  const isGenuine = (body: string, headers: Record<string, string>) => {
    try {
      webhook.verify(body, headers)
      return true
    } catch {
      return false
    }
  }
  return new Promise((resolve) => {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      if (!isGenuine(body, headers)) return response.writeHead(401).end()
      response.writeHead(204, { connection: 'close' }).end()
      server.close()
      return resolve({ event: JSON.parse(body), isForgeryRefused: !isGenuine(`${body} `, headers) })
    })
    server.listen(port, '127.0.0.1')
  })
}

const user = 'walker'

async function atSandbox(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${sandboxUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** As the mini-program does: logs in, buys the first plan, pays it on the phone, and binds a device. */
async function buy(): Promise<{ purchase: PurchasePlanResponse; serialNumber: string }> {
  const client = createClient({ baseUrl: apiUrl })
  const { code } = (await atSandbox('/phone/login', { user })) as { code: string }
  const { data: tokens } = await logIn({ client, body: { code }, throwOnError: true })
  client.setConfig({ auth: () => tokens.access_token })
  const { data: offer } = await listPlans({ client, throwOnError: true })
  const plan = offer.plans[0]
  if (!plan) throw new Error('nothing is on sale')
  const { data: purchase } = await purchasePlan({
    client,
    headers: { 'idempotency-key': 'one-press' },
    body: { plan_code: plan.code, expected_amount_fen: plan.price_fen },
    throwOnError: true,
  })
  await atSandbox('/phone/pay', { user, params: purchase.payment_params })
  const serialNumber = 'SN-WALK-1'
  await bindDevice({ client, body: { serial_number: serialNumber }, throwOnError: true })
  return { purchase, serialNumber }
}

/** As the company's other system does, with its key. */
async function askEntitlement(serial_number: string) {
  const client = createClient({ baseUrl: apiUrl, auth: () => apiKey })
  const { data } = await getEntitlement({ client, query: { serial_number }, throwOnError: true })
  const { error } = await getEntitlement({ client, query: { serial_number: 'SN-NOBODY' } })
  return { active: data.is_active, days: data.remaining_days, reason: data.reason, nobody: error?.code }
}

async function main() {
  const received = receiveOrderPaid()
  const { purchase, serialNumber } = await buy()
  const { event, isForgeryRefused } = await received
  console.log(
    JSON.stringify({
      type: event.type,
      isOfOrder: event.data.order.out_trade_no === purchase.order.out_trade_no,
      isOfAmount: event.data.order.amount_fen === purchase.order.amount_fen,
      isForgeryRefused,
      entitlement: await askEntitlement(serialNumber),
    }),
  )
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
