import {
  NewWebhookEndpoint,
  twoWayPageOf,
  WebhookDeliveryDetail,
  WebhookDeliveryListQuery,
  WebhookDeliveryReference,
  WebhookDeliveryRow,
  WebhookEdit,
  WebhookEndpointListQuery,
  WebhookEndpointRow,
  WebhookReference,
  WebhookSecret,
  WebhookSwitch,
} from '@meridian/contracts'
import type { Actor } from '../../audit/write-audit.ts'
import { getDelivery, listDeliveries } from '../../events/list-deliveries.ts'
import { getEndpoint, listEndpoints } from '../../events/list-endpoints.ts'
import {
  createEndpoint,
  type EndpointDesk,
  editEndpoint,
  rotateSecret,
} from '../../events/manage-endpoints.ts'
import { reachOfEvents } from '../../events/reach.ts'
import { sendAgain, sendTest } from '../../events/send-again.ts'
import { removeEndpoint, switchEndpoint } from '../../events/switch-endpoint.ts'
import { type Call, onPool } from './console-call.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'

// Whoever makes keys for the company's other systems also says where these are told what happens.
const managing = permittedProcedure('api_key.manage')
const reading = readingProcedure('api_key.manage')

/** A story that takes what endpoints are kept with, what is asked and who asks it. */
const onDesk =
  <Input, Answer>(story: (desk: EndpointDesk, input: Input, actor: Actor) => Promise<Answer>) =>
  ({ ctx: { services, actor }, input }: Call<Input>) =>
    story(
      {
        pool: services.database.pool,
        dataKeys: services.config.DATA_KEY,
        reach: reachOfEvents(services.config.platform),
      },
      input,
      actor,
    )

/** Endpoints of the company's other systems, and what was sent to them. */
export const webhookRouter = router({
  list: reading
    .input(WebhookEndpointListQuery)
    .output(twoWayPageOf(WebhookEndpointRow))
    .query(onPool(listEndpoints)),
  get: reading.input(WebhookReference).output(WebhookEndpointRow).query(onPool(getEndpoint)),
  create: managing.input(NewWebhookEndpoint).output(WebhookSecret).mutation(onDesk(createEndpoint)),
  edit: managing.input(WebhookEdit).mutation(onDesk(editEndpoint)),
  switch: managing.input(WebhookSwitch).mutation(onPool(switchEndpoint)),
  rotate: managing.input(WebhookReference).output(WebhookSecret).mutation(onDesk(rotateSecret)),
  remove: managing.input(WebhookReference).mutation(onPool(removeEndpoint)),
  test: managing.input(WebhookReference).output(WebhookDeliveryReference).mutation(onPool(sendTest)),
  deliveries: reading
    .input(WebhookDeliveryListQuery)
    .output(twoWayPageOf(WebhookDeliveryRow))
    .query(onPool(listDeliveries)),
  delivery: reading.input(WebhookDeliveryReference).output(WebhookDeliveryDetail).query(onPool(getDelivery)),
  sendAgain: managing.input(WebhookDeliveryReference).mutation(onPool(sendAgain)),
})
