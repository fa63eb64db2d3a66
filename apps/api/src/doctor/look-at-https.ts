import { connect } from 'node:tls'
import { endsIn, fault, type Seen, warning, well } from './finding.ts'

const patienceMs = 4_000

type Shown = { endsAt: Date; refusal: string | null }

/** The certificate that a host shows to whoever calls it, and why it is not believed. */
function certificateOf(url: URL): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(/[a-z]/i.test(host) && !host.includes(':') && { servername: host }),
      timeout: patienceMs,
      // Nothing is sent: what is wrong with it is the answer.
      rejectUnauthorized: false,
    })
    socket.once('secureConnect', () => {
      const { authorizationError } = socket
      const endsAt = new Date(socket.getPeerCertificate().valid_to)
      const refusal = authorizationError ? String(authorizationError.message ?? authorizationError) : null
      socket.destroy()
      resolve({ endsAt, refusal })
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
  })
}

/** What can be said of the TLS of an address: whether its certificate is believed, and until when. */
export async function lookAtHttps(url: URL, { mend }: { mend: string }): Promise<Seen[]> {
  if (url.protocol !== 'https:') return []
  try {
    const { endsAt, refusal } = await certificateOf(url)
    return [
      refusal
        ? fault(`nobody believes the certificate of ${url.host}: ${refusal}`, mend)
        : well(`the certificate of ${url.host} is believed`),
      endsIn(`the certificate of ${url.host}`, endsAt, { now: new Date(), mend }),
    ]
  } catch (error) {
    // The text of OpenSSL has lines of its own.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    return [warning(`${url.host} shows no certificate from here: ${reason}`, mend)]
  }
}
