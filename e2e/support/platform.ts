import type { WeatherRule } from '@meridian/payments/testing'
import { world } from './world.ts'

/** The payment platform as an actor: it can be told to misbehave, and asked what it has sent. */
export const platform = {
  losesNotifications: () => setWeather([{ kind: 'drop', at: 'notification' }]),
  /** Says of an order that more was paid than it costs. */
  overstates: (outTradeNo: string) => setWeather([{ kind: 'wrong_amount', at: 'notification', outTradeNo }]),
  behaves: () => setWeather([]),
}

async function setWeather(rules: WeatherRule[]): Promise<void> {
  const response = await fetch(`${world().sandboxUrl}/sandbox/weather`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rules),
  })
  if (!response.ok) throw new Error(`The sandbox refuses this weather: ${await response.text()}`)
}
