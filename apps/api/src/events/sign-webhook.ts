import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const secretBytes = 32

/** A new secret, as Standard Webhooks writes one: `whsec_` and base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`

type Signed = { id: string; at: Date; body: string; secrets: readonly string[] }

/**
 * The headers of a webhook (Standard Webhooks 1.0): one signature for each secret that counts, so that a receiver
 * verifies by the old one or the new one while they are exchanged.
 */
export const webhookHeaders = ({ id, at, body, secrets }: Signed): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})
