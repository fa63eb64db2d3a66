import type { Fields } from '../read-fields.ts'
import type { FaultPlace, InjectedFaults } from './fault-injection.ts'
import type { PlatformState } from './platform-state.ts'
import type { Reply } from './reply.ts'

/** A request that has passed the checks, with what its path holds. */
export type EndpointRequest = {
  state: PlatformState
  method: string
  path: string
  /** Decoded parts of the path that the pattern names. */
  parts: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Fields
  /** The body as it came: some endpoints check a signature over it. */
  text: string
  /** The key that the request names. */
  serial: string | undefined
  faults: InjectedFaults
  /** Where the platform itself is reachable, for links in answers. */
  origin: string
}

export type PlatformEndpoint = {
  method: 'GET' | 'POST'
  path: RegExp
  place: FaultPlace
  answer: (request: EndpointRequest) => Reply
  /** The order a request is about, for fault injection; null where it is about none. */
  orderOf?: (request: {
    parts: Readonly<Record<string, string>>
    body: Fields
    state: PlatformState
  }) => string | null
}
