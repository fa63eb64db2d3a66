import { describe, expect, it } from 'vitest'
import type { SeenCall } from '../../faults/phone-calls.ts'
import { measure, type Recording, type Sighting } from '../measure.ts'

const plain = 'http://plain'
const call = (method: string, atMs: number, status: number | null = 200): SeenCall => ({
  url: plain,
  method,
  path: '/',
  startedMs: atMs - 10,
  endedMs: atMs,
  status,
})
const sightings = (kind: Sighting['kind'], moments: readonly number[]): Sighting[] =>
  moments.map((atMs) => ({ kind, machine: 'node1', atMs }))
const everySecond = (fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / 1000 + 1 }, (_, index) => fromMs + index * 1000)

const endMs = 60_000
const recording = (given: Partial<Recording>): Recording => ({
  calls: everySecond(0, endMs).flatMap((at) => [call('GET', at), call('POST', at)]),
  sightings: (['read', 'write', 'job'] as const).flatMap((kind) => sightings(kind, everySecond(0, endMs))),
  faultMs: 10_000,
  restoredMs: 10_000,
  endMs,
  ...given,
})

describe('the figures of a drill', () => {
  it('show nothing but the pauses between two looks where nothing has happened', () => {
    expect(measure(recording({}), plain)).toMatchObject({
      databaseWithoutWritesSeconds: 0,
      firstSuccessSeconds: 1,
      jobsSeconds: 1,
      withoutReadsSeconds: 1,
      slowestWriteSeconds: 0,
      failedPlain: 0,
    })
  })

  it('count the first success and the jobs from the moment the database takes writes again', () => {
    const figures = measure(
      recording({
        calls: [...everySecond(0, 10_000), ...everySecond(37_000, endMs)].flatMap((at) => [
          call('POST', at),
          call('GET', at),
        ]),
        sightings: [
          ...sightings('read', everySecond(0, endMs)),
          ...sightings('write', [...everySecond(0, 10_000), ...everySecond(30_000, endMs)]),
          ...sightings('job', [...everySecond(0, 10_000), ...everySecond(50_000, endMs)]),
        ],
      }),
      plain,
    )
    expect(figures).toMatchObject({
      databaseWithoutWritesSeconds: 20,
      firstSuccessSeconds: 7,
      jobsSeconds: 20,
      withoutReadsSeconds: 27,
    })
  })

  it('count a success that never comes until the end of the drill', () => {
    const calls = everySecond(0, 10_000).map((at) => call('POST', at))
    expect(measure(recording({ calls }), plain).firstSuccessSeconds).toBe(50)
  })

  it('count from when a gateway was put right, not from when it was killed', () => {
    const calls = [...everySecond(0, 10_000), ...everySecond(16_000, endMs)].map((at) => call('POST', at))
    expect(measure(recording({ calls, restoredMs: 13_000 }), plain).firstSuccessSeconds).toBe(3)
  })

  it('forgive readers the time in which no PostgreSQL could be read', () => {
    const away = [...everySecond(0, 10_000), ...everySecond(30_000, endMs)]
    const figures = measure(
      recording({
        calls: away.map((at) => call('GET', at)),
        sightings: sightings('read', away),
      }),
      plain,
    )
    expect(figures.withoutReadsSeconds).toBeLessThan(2)
  })

  it('count what was answered 5xx or not at all, by balancer, and no refusal of a request itself', () => {
    const calls = [
      call('GET', 9_000, 503),
      call('GET', 11_000, 503),
      call('GET', 12_000, null),
      { ...call('POST', 13_000, 503), url: 'http://retrying' },
      call('POST', 14_000, 409),
    ]
    expect(measure(recording({ calls }), plain)).toMatchObject({
      requests: 4,
      failedPlain: 2,
      failedRetrying: 1,
    })
  })
})
