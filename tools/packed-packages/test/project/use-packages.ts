import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { createClient, isProblem, onFetch } from '@meridian/miniprogram-client'
import {
  type ConfirmedPayment,
  createPayments,
  type Payments,
  PaymentsError,
  systemRuntime,
} from '@meridian/payments'
import { type FaultKind, faultKinds, startPlatform } from '@meridian/payments/testing'
import { type RunningSandbox, startSandbox } from '@meridian/sandbox'

// Somebody else's project: what is installed from the tarballs, used as its types allow. Compiled once as an ES module and
// once as a CommonJS module. Arguments: the address of a running sandbox, its file of settings, a folder of its own.
const [sandboxUrl = '', settingsFile = '', folder = ''] = process.argv.slice(2)
const settings = parseEnv(readFileSync(settingsFile, 'utf8'))
const setting = (name: string) => settings[name] ?? ''

const order = {
  outTradeNo: `P${process.pid}ORDER`,
  description: 'Monthly plan',
  amountFen: 2900,
  payerOpenid: 'oPackedBuyer',
  expiresAt: new Date(Date.now() + 600_000),
}

function paymentsOf(notifyUrl: string): Payments {
  const [id = '', file = ''] = setting('WECHAT_PAY_PLATFORM_KEYS').split('=')
  return createPayments(
    {
      appId: setting('WECHAT_PAY_APP_ID'),
      mchId: setting('WECHAT_PAY_MCH_ID'),
      merchantSerialNo: setting('WECHAT_PAY_MERCHANT_SERIAL_NO'),
      merchantPrivateKey: readFileSync(setting('WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE'), 'utf8'),
      apiV3Keys: [setting('WECHAT_PAY_API_V3_KEY')],
      platformKeys: [{ id, pem: readFileSync(file, 'utf8') }],
      downloadKeys: false,
      notifyUrl,
      baseUrl: sandboxUrl,
    },
    systemRuntime,
  )
}

const post = async (path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${sandboxUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/** Why a notification with one byte more is refused. */
function refusalOf(payments: Payments, notification: Parameters<Payments['readNotification']>[0]): string {
  try {
    payments.readNotification({ ...notification, body: Buffer.concat([notification.body, Buffer.from(' ')]) })
    return 'none'
  } catch (error) {
    return error instanceof PaymentsError ? error.reason : String(error)
  }
}

/** Orders, pays on the phone of the sandbox, and verifies what comes: the notification, and the answer to a query. */
async function pay() {
  const merchant = createServer()
  await new Promise<void>((listening) => merchant.listen(0, '127.0.0.1', listening))
  const payments = paymentsOf(`http://127.0.0.1:${(merchant.address() as AddressInfo).port}/notify`)
  const notified = new Promise<{ payment: ConfirmedPayment; forged: string }>((resolve, reject) => {
    merchant.on('request', async (request, response) => {
      try {
        const notification = { headers: request.headers, body: Buffer.from(await text(request)) }
        const read = payments.readNotification(notification)
        response.writeHead(204).end()
        if (read.kind === 'payment')
          resolve({ payment: read.payment, forged: refusalOf(payments, notification) })
      } catch (error) {
        reject(error)
      }
    })
  })
  const { prepayId } = await payments.prepay(order)
  const params = await payments.paymentParams(prepayId)
  await post('/sandbox/request-payment', { params, openid: order.payerOpenid })
  const { payment, forged } = await notified
  const found = await payments.queryOrder(order.outTradeNo)
  merchant.close()
  return { notifiedFen: payment.amountFen, forged, queried: found.state }
}

/** Logs in, and says what it read of the API it was given. */
async function logIn() {
  const asked: string[] = []
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 7200, token_type: 'Bearer' }
  const phone = onFetch({
    loginCode: async () => 'a-code',
    requestPayment: async () => 'paid',
    fetch: async (url, { body = '' }) => {
      asked.push(`${new URL(url).pathname} ${body}`)
      return new Response(JSON.stringify(tokens), { headers: { 'content-type': 'application/json' } })
    },
  })
  const client = createClient({ baseUrl: 'https://api.example.com', phone })
  await client.logIn()
  const problem = await client.subscription().then(
    () => 'none',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )
  return { asked: asked[0], problem }
}

/** The platform within this process, and the whole sandbox. */
async function startBoth() {
  const platform = await startPlatform()
  const weather = await fetch(`${platform.url}/sandbox/weather`)
  const sandbox: RunningSandbox = await startSandbox({ folder })
  const page = await fetch(sandbox.url)
  sandbox.stop()
  await platform.stop()
  const drop: FaultKind = 'drop'
  return { platform: weather.status, page: page.status, drops: faultKinds.includes(drop) }
}

async function main() {
  const told = { paid: await pay(), client: await logIn(), started: await startBoth() }
  console.log(JSON.stringify(told))
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
