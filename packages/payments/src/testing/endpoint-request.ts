import type { Fields } from '../read-fields.ts'
import type { PlatformState } from './platform-state.ts'
import type { Reply } from './reply.ts'
import type { Weathered, WeatherPlace } from './weather.ts'

/** A request that has passed the checks, with what its path holds. */
export type EndpointRequest = {
  state: PlatformState
  method: string
  path: string
  /** Decoded parts of the path that the pattern names. */
  parts: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Fields
  /** The key that the request names. */
  serial: string | undefined
  weather: Weathered
  /** Where the platform itself is reachable, for links in answers. */
  origin: string
}

export type PlatformEndpoint = {
  method: 'GET' | 'POST'
  path: RegExp
  place: WeatherPlace
  answer: (request: EndpointRequest) => Reply
  /** The order a request is about, for the weather; null where it is about none. */
  orderOf?: (request: {
    parts: Readonly<Record<string, string>>
    body: Fields
    state: PlatformState
  }) => string | null
}
