import type { Order, Plan, Subscription } from '@meridian/contracts'
import { buy, forgetKey, type Outcome, sync } from './buy.ts'
import { showCall } from './calls-panel.ts'
import { byId } from './page.ts'
import { ApiProblem, type PhoneApi, phoneApi } from './phone-api.ts'
import { openResult } from './result-view.ts'
import { displayName, showCard, showOrders, showPlans, showPrice, showProblem } from './screen.ts'
import { switchLanguage, text, translatePage } from './texts.ts'
import { addUser, chooseUser, currentUser, userNames } from './users.ts'
import { showWeather } from './weather-panel.ts'

type Shown = { plans: Plan[]; chosen: string; subscription: Subscription | null; orders: Order[] }

const user = currentUser()
const api: PhoneApi = phoneApi(user, showCall)
const shown: Shown = { plans: [], chosen: '', subscription: null, orders: [] }

const signedIn = () => user.tokens() !== null
const chosenPlan = () => shown.plans.find(({ code }) => code === shown.chosen)

function show(): void {
  showCard({ user: user.name, subscription: shown.subscription, signedIn: signedIn() })
  showPlans(shown.plans, shown.chosen, (code) => {
    shown.chosen = code
    showPrice(chosenPlan(), signedIn())
  })
  showPrice(chosenPlan(), signedIn())
  showOrders(shown.orders)
  byId('language').textContent = text('otherLanguage')
  showUsers()
}

function showUsers(): void {
  const options = userNames().map((name) => new Option(displayName(name), name, false, name === user.name))
  byId('user').replaceChildren(...options)
}

/** Does what the user asked for; what goes wrong is said on the screen in the server's own words. */
async function attempt(work: () => Promise<void>): Promise<void> {
  showProblem('')
  document.body.ariaBusy = 'true'
  try {
    await work()
  } catch (error) {
    if (error instanceof ApiProblem && ['order_closed', 'order_already_paid'].includes(error.code)) {
      forgetKey(shown.chosen)
    }
    const message = error instanceof ApiProblem ? error.message : ''
    showProblem(message === '' ? text('unreachable') : message)
    show()
  } finally {
    document.body.ariaBusy = null
  }
}

async function loadPlans(): Promise<void> {
  const { plans } = await api.plans()
  shown.plans = plans
  if (chosenPlan() === undefined) shown.chosen = plans[0]?.code ?? ''
}

async function loadMine(): Promise<void> {
  if (!signedIn()) return
  const [subscription, orders] = await Promise.all([api.subscription(), api.orders()])
  shown.subscription = subscription
  shown.orders = orders.items
}

async function logIn(): Promise<void> {
  await api.login()
  await loadMine()
  show()
}

async function pay(): Promise<void> {
  const plan = chosenPlan()
  if (plan === undefined) return
  if (!signedIn()) await logIn()
  const view: { current: ReturnType<typeof openResult> | null } = { current: null }
  try {
    const outcome = await buy({ api, name: user.name, onPaid: () => (view.current = openResult()) }, plan)
    if (outcome.kind === 'cancelled') showProblem(text('cancelled'))
    else if (view.current !== null) await followResult(view.current, outcome)
  } finally {
    view.current?.close()
    await loadMine()
    show()
  }
}

async function followResult(view: ReturnType<typeof openResult>, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'cancelled') return
  view.show(outcome)
  const choice = await view.closed
  view.close()
  if (choice === 'done' || outcome.kind === 'paid') return
  const again = openResult()
  try {
    await followResult(again, await sync(api, outcome.outTradeNo))
  } finally {
    again.close()
  }
}

function changeUser(name: string): void {
  chooseUser(name)
  location.reload()
}

byId('login').addEventListener('click', () => attempt(logIn))
byId('pay').addEventListener('click', () => attempt(pay))
byId('new-user').addEventListener('click', () => changeUser(addUser()))
byId('user').addEventListener('change', (event) => {
  if (event.target instanceof HTMLSelectElement) changeUser(event.target.value)
})
byId('language').addEventListener('click', () => {
  switchLanguage()
  show()
  void showWeather()
  void attempt(async () => {
    await loadPlans()
    show()
  })
})

translatePage()
show()
void showWeather()
void attempt(async () => {
  await loadPlans()
  await loadMine()
  show()
})
