import type { Device, DiagnosisConfig, Order, Plan, Report, Sale, Subscription } from '@meridian/contracts'
import { createClient, isProblem, type Outcome, onWx } from '@meridian/miniprogram-client'
import { showCall } from './calls-panel.ts'
import { showClock, watchClock } from './clock-panel.ts'
import { findConsole } from './console-link.ts'
import { showDemo } from './demo-panel.ts'
import { showDevices, watchDevices } from './device-view.ts'
import { linkFaults } from './fault-order.ts'
import { showFaults } from './fault-panel.ts'
import { heldDevice, watchDevice } from './held-device.ts'
import { showMessages } from './messages-panel.ts'
import { keepOrderKeys } from './order-keys.ts'
import { showOrders } from './orders-view.ts'
import { byId } from './page.ts'
import { findingOf, showPrograms } from './programs-view.ts'
import { showReport, showReports } from './reports-view.ts'
import { openResult } from './result-view.ts'
import { displayName, showCard, showNotice, showPlans, showPrice, showProblem, showSale } from './screen.ts'
import { showTab, watchTabs } from './tabs.ts'
import { language, switchLanguage, text, translatePage } from './texts.ts'
import { type Care, openCare } from './treat.ts'
import { keepUnsent } from './unsent.ts'
import { currentUser, isLoggedIn, showUsers, watchUsers } from './users.ts'
import { refusalText, showVirtual, watchVirtual } from './virtual-panel.ts'
import { wxFor } from './wx.ts'

type Result = ReturnType<typeof openResult>
type Listed<Item> = { items: Item[]; next_cursor: string | null }
type Shown = {
  plans: Plan[]
  sale: Sale | null
  chosen: string
  subscription: Subscription | null
  orders: Listed<Order>
  reports: Listed<Report>
  devices: Device[]
  config: DiagnosisConfig | null
}

const user = currentUser()
const none = { items: [], next_cursor: null }
const shown: Shown = {
  ...{ plans: [], sale: null, chosen: '', subscription: null, devices: [], config: null },
  ...{ orders: none, reports: none },
}
const result: { current: Result | null } = { current: null }

const wx = wxFor({
  user,
  device: heldDevice(),
  onCall: showCall,
  onPaid: () => {
    result.current = openResult()
  },
})
const { phone, ...orderKeys } = keepOrderKeys(onWx(wx))
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
  showSale(shown.sale, shown.plans.length === 0)
  showOrders(shown.orders.items, { canPay: orderKeys.knows, pay: payAgain, cancel })
  linkFaults(shown.orders.items[0])
  showReports(shown.reports.items, (report) =>
    attempt(async () => showReport(await client.reports.get(report.id))),
  )
  showDevices(shown.devices, shown.config?.body_parts ?? [])
  showPrograms(shown.config, findingOf(shown.reports.items), care.start)
  byId('more-orders').hidden = shown.orders.next_cursor === null
  byId('more-reports').hidden = shown.reports.next_cursor === null
  byId('remind').hidden = !(signedIn() && shown.subscription?.is_active)
  byId('language').textContent = text('otherLanguage')
  showUsers(displayName)
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
  const { plans, sale } = await client.plans()
  Object.assign(shown, { plans, sale })
  if (chosenPlan() === undefined) shown.chosen = plans[0]?.code ?? ''
}

async function loadMine(): Promise<void> {
  if (!signedIn()) return
  const [subscription, orders, devices, reports, config] = await Promise.all([
    client.subscription(),
    client.orders.list({ limit: 5 }),
    client.devices.list(),
    client.reports.list({ limit: 10 }),
    client.diagnosisConfig(),
  ])
  Object.assign(shown, { subscription, orders, devices: devices.items, reports, config })
}

/** The next page of a list, below what is shown of it. */
const loadMore = (what: 'orders' | 'reports') =>
  attempt(async () => {
    const { items, next_cursor: cursor } = shown[what]
    if (cursor === null) return
    const page = await client[what].list({ limit: 10, cursor })
    Object.assign(shown, { [what]: { items: [...items, ...page.items], next_cursor: page.next_cursor } })
    show()
  })

async function reload(): Promise<void> {
  await loadMine()
  show()
}

async function logIn(): Promise<void> {
  await client.logIn()
  await reload()
}

/** Pays a plan, or the order that was taken up for it. */
async function pay(plan: Pick<Plan, 'code' | 'price_fen'> | undefined): Promise<void> {
  if (plan === undefined) return
  if (!signedIn()) await logIn()
  try {
    await announce(await client.pay(plan))
  } finally {
    result.current?.close()
    result.current = null
    await reload()
    void showVirtual(virtualPanel)
  }
}

/** The same order under new payment params; first, what became of a payment sheet that may still be open. */
const payAgain = (order: Order) =>
  attempt(async () => {
    const open = await client.resume()
    if (open?.kind === 'pending') return announce(open)
    orderKeys.takeUp(order)
    await pay({ code: order.plan.code, price_fen: order.amount_fen })
  })

const cancel = (order: Order) =>
  attempt(async () => {
    await client.orders.cancel(order.out_trade_no)
    await reload()
    showNotice(text('orderCancelled'))
  })

/** What came of a payment; as long as it is not known, the user may ask again. */
async function announce(outcome: Outcome): Promise<void> {
  if (outcome.kind === 'cancelled' && outcome.sheetError) return showProblem(refusalText(outcome.sheetError))
  if (outcome.kind === 'cancelled' || outcome.kind === 'closed') return showProblem(text(outcome.kind))
  const view = result.current ?? openResult()
  view.show(outcome)
  const choice = await view.closed
  view.close()
  if (choice === 'done' || outcome.kind === 'paid') return
  result.current = openResult()
  await announce(await client.confirm(outcome.outTradeNo))
}

const care: Care = openCare({
  unsent: keepUnsent(phone),
  attempt,
  reload,
  client: () => client,
  shown: () => ({ devices: shown.devices, config: shown.config }),
})

const REMINDER = 'expiry_reminder'

const allowReminder = () =>
  attempt(async () => {
    await client.account.grantMessage(REMINDER)
    showNotice(text('remindGranted'))
  })

/** What may have changed by itself: time passed, or somebody did something elsewhere. */
async function refresh(): Promise<void> {
  await attempt(reload)
  await showBeside()
}

const virtualPanel = { user, refresh }

/** What stands beside the phone and changes with what is done on it. */
const showBeside = () => Promise.all([showClock(), showDemo(), showMessages(user), showVirtual(virtualPanel)])

const begin = () =>
  attempt(async () => {
    await Promise.all([findConsole(), loadPlans()])
    await reload()
  })

byId('remind').addEventListener('click', () => void allowReminder())
byId('login').addEventListener('click', () => attempt(logIn))
byId('pay').addEventListener('click', () => attempt(() => pay(chosenPlan())))
byId('more-orders').addEventListener('click', () => void loadMore('orders'))
byId('more-reports').addEventListener('click', () => void loadMore('reports'))
byId('language').addEventListener('click', () => {
  switchLanguage()
  client = clientIn(language())
  show()
  void showFaults()
  void showBeside()
  void begin()
})
watchClock(refresh)
watchDevices(care)
watchDevice()
watchUsers()
watchVirtual(virtualPanel)
watchTabs((tab) => {
  showProblem('')
  if (tab !== 'shop') void attempt(signedIn() ? reload : logIn)
})

translatePage()
showTab('shop')
show()
void showFaults()
void showBeside()
void begin()
