import type { Device, Order, Plan, Subscription } from '@meridian/contracts'
import { createClient, isProblem, type Outcome, onWx } from '@meridian/miniprogram-client'
import { showCall } from './calls-panel.ts'
import { sandboxNow, showClock, watchClock } from './clock-panel.ts'
import { showDevices, watchDevices } from './device-view.ts'
import { showMessages } from './messages-panel.ts'
import { byId } from './page.ts'
import { openResult } from './result-view.ts'
import { displayName, showCard, showNotice, showOrders, showPlans, showPrice, showProblem } from './screen.ts'
import { language, switchLanguage, text, translatePage } from './texts.ts'
import { addUser, chooseUser, currentUser, isLoggedIn, userNames } from './users.ts'
import { showWeather } from './weather-panel.ts'
import { wxFor } from './wx.ts'

type Result = ReturnType<typeof openResult>
type Shown = {
  plans: Plan[]
  chosen: string
  subscription: Subscription | null
  orders: Order[]
  devices: Device[]
}

const user = currentUser()
const shown: Shown = { plans: [], chosen: '', subscription: null, orders: [], devices: [] }
const result: { current: Result | null } = { current: null }

const phone = onWx(
  wxFor({
    user,
    onCall: showCall,
    onPaid: () => {
      result.current = openResult()
    },
  }),
)
const clientIn = (spoken: 'zh-CN' | 'en') =>
  createClient({ baseUrl: location.origin, phone, language: spoken })
let client = clientIn(language())

const signedIn = () => isLoggedIn(user)
const chosenPlan = () => shown.plans.find(({ code }) => code === shown.chosen)

function show(): void {
  showCard({ user, subscription: shown.subscription, signedIn: signedIn() })
  showPlans(shown.plans, shown.chosen, (code) => {
    shown.chosen = code
    showPrice(chosenPlan(), signedIn())
  })
  showPrice(chosenPlan(), signedIn())
  showOrders(shown.orders)
  showDevices(shown.devices, signedIn())
  byId('remind').hidden = !(signedIn() && shown.subscription?.is_active)
  byId('language').textContent = text('otherLanguage')
  showUsers()
}

function showUsers(): void {
  const options = userNames().map((name) => new Option(displayName(name), name, false, name === user))
  byId('user').replaceChildren(...options)
}

/** Does what the user asked for; what goes wrong is said on the screen in the server's own words. */
async function attempt(work: () => Promise<void>): Promise<void> {
  showProblem('')
  document.body.ariaBusy = 'true'
  try {
    await work()
  } catch (error) {
    showProblem((isProblem(error) && error.title) || text('unreachable'))
    show()
  } finally {
    document.body.ariaBusy = null
  }
}

async function loadPlans(): Promise<void> {
  const { plans } = await client.plans()
  shown.plans = plans
  if (chosenPlan() === undefined) shown.chosen = plans[0]?.code ?? ''
}

async function loadMine(): Promise<void> {
  if (!signedIn()) return
  const [subscription, orders, devices] = await Promise.all([
    client.subscription(),
    client.orders.list({ limit: 5 }),
    client.devices.list(),
  ])
  Object.assign(shown, { subscription, orders: orders.items, devices: devices.items })
}

async function logIn(): Promise<void> {
  await client.logIn()
  await loadMine()
  show()
}

async function pay(): Promise<void> {
  const plan = chosenPlan()
  if (plan === undefined) return
  if (!signedIn()) await logIn()
  try {
    await tell(await client.pay(plan))
  } finally {
    result.current?.close()
    result.current = null
    await loadMine()
    show()
  }
}

/** What came of a payment; as long as it is not known, the user may ask again. */
async function tell(outcome: Outcome): Promise<void> {
  if (outcome.kind === 'cancelled' || outcome.kind === 'closed') return showProblem(text(outcome.kind))
  const view = result.current ?? openResult()
  view.show(outcome)
  const choice = await view.closed
  view.close()
  if (choice === 'done' || outcome.kind === 'paid') return
  result.current = openResult()
  await tell(await client.confirm(outcome.outTradeNo))
}

const changeDevices = (work: () => Promise<unknown>) =>
  attempt(async () => {
    if (!signedIn()) await client.logIn()
    await work()
    await loadMine()
    show()
  })

function changeUser(name: string): void {
  chooseUser(name)
  location.reload()
}

const REMINDER = 'expiry_reminder'

const allowReminder = () =>
  attempt(async () => {
    await client.account.grantMessage(REMINDER)
    showNotice(text('remindGranted'))
  })

/** What may have changed by itself: time passed, or somebody did something elsewhere. */
async function refresh(): Promise<void> {
  await attempt(async () => {
    await loadMine()
    show()
  })
  await Promise.all([showClock(), showMessages(user)])
}

byId('remind').addEventListener('click', () => void allowReminder())
byId('login').addEventListener('click', () => attempt(logIn))
byId('pay').addEventListener('click', () => attempt(pay))
byId('new-user').addEventListener('click', () => changeUser(addUser()))
byId('user').addEventListener('change', (event) => {
  if (event.target instanceof HTMLSelectElement) changeUser(event.target.value)
})
byId('language').addEventListener('click', () => {
  switchLanguage()
  client = clientIn(language())
  show()
  void showWeather()
  void showClock()
  void showMessages(user)
  void attempt(async () => {
    await loadPlans()
    show()
  })
})
watchClock(refresh)

watchDevices({
  bind: (serialNumber) => changeDevices(() => client.devices.bind({ serial_number: serialNumber })),
  unbind: (serialNumber) => changeDevices(() => client.devices.unbind(serialNumber)),
  scan: ({ serial_number }) =>
    changeDevices(async () => {
      const now = sandboxNow().toISOString()
      const { locked } = await client.reports.store({
        client_report_id: crypto.randomUUID(),
        kind: 'scan',
        serial_number,
        started_at: now,
        ended_at: now,
        score: 80,
        summary: { source: 'sandbox' },
        measurements: [{ t_ms: 0, value: 1 }],
      })
      showNotice(text(locked ? 'scannedLocked' : 'scanned'))
    }),
})

translatePage()
show()
void showWeather()
void showClock()
void showMessages(user)
void attempt(async () => {
  await loadPlans()
  await loadMine()
  show()
})
