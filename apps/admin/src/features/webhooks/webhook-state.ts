import type { WebhookEndpointRow } from '@meridian/contracts'

/** Whether events are sent there. */
export const isOn = ({ state }: Pick<WebhookEndpointRow, 'state'>): boolean =>
  state === 'active' || state === 'failing'
