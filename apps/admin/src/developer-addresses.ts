import { eventTypes, WEBHOOK_TEST_TYPE, type WebhookDeliveryListQuery } from '@meridian/contracts'
import { given, listAddress, oneOf } from './kit/list/address.ts'

// Apart from the other addresses: nothing but the pages of developers is made with these.

const developers = listAddress({
  path: '/developers',
  params: { state: oneOf(['over']) },
  filter: ({ state }) => ({ isActive: state !== 'over' }),
  usualRows: 50,
})

const webhooks = listAddress({
  path: '/developers/webhooks',
  params: {},
  filter: () => ({}),
  usualRows: 50,
})

/** What narrows the deliveries on the page of an endpoint, whose id the page knows. */
const webhookDeliveries = listAddress({
  path: '/developers/webhooks',
  params: {
    state: oneOf(['waiting', 'delivered', 'given_up']),
    type: oneOf([...eventTypes, WEBHOOK_TEST_TYPE] as const),
  },
  filter: ({ state, type }): Pick<WebhookDeliveryListQuery, 'state' | 'type'> => given({ state, type }),
})

export const developerAddresses = { developers, webhooks, webhookDeliveries }
