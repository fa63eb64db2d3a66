import type { Plan, Sale, Subscription } from '@meridian/contracts'
import { heldDevice } from './held-device.ts'
import { named } from './names.ts'
import { byId, make } from './page.ts'
import { day, text, yuan } from './texts.ts'

export type CardState = { user: string; subscription: Subscription | null; signedIn: boolean }

export const displayName = (user: string) => (/^\d+$/.test(user) ? text('userNamed', { name: user }) : user)

export function showCard({ user, subscription, signedIn }: CardState): void {
  const active = subscription?.is_active === true
  byId('card').setAttribute('data-state', active ? 'active' : 'inactive')
  byId('card-user').textContent = displayName(user)
  byId('card-state').textContent = stateText(signedIn, subscription)
  byId('card-days').hidden = !active
  byId('card-number').textContent = `${subscription?.remaining_days ?? ''}`
  byId('card-note').textContent = noteText(signedIn, subscription)
  byId('login').hidden = signedIn
}

function stateText(signedIn: boolean, subscription: Subscription | null): string {
  if (!signedIn) return text('signedOut')
  if (subscription === null) return text('loading')
  return subscription.is_active ? text('active') : text('inactive')
}

function noteText(signedIn: boolean, subscription: Subscription | null): string {
  if (!signedIn) return text('signedOutNote')
  if (subscription?.is_active && subscription.expires_at !== null) {
    return `${text('until')} ${day(subscription.expires_at)}`
  }
  return text('inactiveNote')
}

export function showPlans(plans: readonly Plan[], chosen: string, onChoose: (code: string) => void): void {
  const choices = plans.map((plan) => {
    const radio = document.createElement('input')
    radio.type = 'radio'
    radio.name = 'plan'
    radio.value = plan.code
    radio.checked = plan.code === chosen
    radio.addEventListener('change', () => onChoose(plan.code))
    return make('label', 'plan', [radio, ...planLines(plan)])
  })
  byId('plans').replaceChildren(...choices)
}

/** By what one pays here, or why nothing is sold. */
export function showSale(sale: Sale | null, isEmpty: boolean): void {
  const refusal = sale?.allowed === false || isEmpty
  byId('no-plans').hidden = sale === null || !refusal
  byId('no-plans').textContent = sale?.message || text('noPlans')
  const channel = sale?.channel === 'virtual' && heldDevice().system === 'ios' ? 'apple' : sale?.channel
  byId('pay-by').hidden = !channel
  byId('pay-by').textContent = channel ? text('payBy', { channel: text(`payBy_${channel}`) }) : ''
}

function planLines(plan: Plan): Node[] {
  const perDay = yuan(Math.round(plan.price_fen / plan.duration_days))
  const price = [make('strong', 'plan-price', yuan(plan.price_fen))]
  if (plan.list_price_fen !== null) price.push(make('s', '', yuan(plan.list_price_fen)))
  const name = [make('span', 'plan-name', named(plan.name))]
  if (plan.badge !== null && plan.badge !== '') name.push(make('span', 'badge', named(plan.badge)))
  return [
    make('span', 'plan-what', [
      make('span', 'plan-title', name),
      make(
        'span',
        'plan-note',
        `${text('lasts', { days: plan.duration_days })} · ${text('perDay', { price: perDay })}`,
      ),
    ]),
    make('span', 'plan-cost', price),
  ]
}

export function showPrice(plan: Plan | undefined, signedIn: boolean): void {
  byId('price').textContent = plan === undefined ? '' : yuan(plan.price_fen)
  byId('pay').textContent = text(signedIn ? 'payNow' : 'loginFirst')
  byId('pay').toggleAttribute('disabled', plan === undefined)
}

/** Something good that is worth a word. */
export function showNotice(message: string): void {
  showProblem(message)
  byId('problem').classList.add('good')
}

export function showProblem(message: string): void {
  byId('problem').classList.remove('good')
  byId('problem').textContent = message
  byId('problem').hidden = message === ''
}
