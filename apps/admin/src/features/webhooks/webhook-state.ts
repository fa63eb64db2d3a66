import type { WebhookEndpointRow } from '@meridian/contracts'

/** Whether events are sent there. */
export const isOn = ({ state }: Pick<WebhookEndpointRow, 'state'>): boolean =>
  state === 'active' || state === 'failing'

/** How often one who waits for a delivery learns what became of it. */
export const WATCH_MS = 5_000
