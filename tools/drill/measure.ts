import type { SeenCall } from '../faults/phone-calls.ts'

/** What was seen of one PostgreSQL itself, at this moment: it was read, it committed a write, it had finished jobs. */
export type Sighting = { kind: 'read' | 'write' | 'job'; machine: string; atMs: number }

export type Recording = {
  calls: readonly SeenCall[]
  sightings: readonly Sighting[]
  /** When the fault began. */
  faultMs: number
  /** When somebody had put right what does not heal by itself (a killed gateway); the fault itself without. */
  restoredMs: number
  /** When nobody came any more. */
  endMs: number
}

export type Figures = {
  /** How long the database itself took no write, at most. */
  databaseWithoutWritesSeconds: number
  /** The longest time customers wrote nothing although the database took writes again. */
  firstSuccessSeconds: number
  /** The longest time no job ended although the database took writes again. */
  jobsSeconds: number
  /** The longest time nobody could read anything although one PostgreSQL could be read. */
  withoutReadsSeconds: number
  /** The longest time a customer waited for the answer to a purchase or whatever else is written. */
  slowestWriteSeconds: number
  requests: number
  failedRetrying: number
  failedPlain: number
}

type Span = { fromMs: number; toMs: number }

const isFailure = ({ status }: SeenCall) => status === null || status >= 500
const isSuccess = ({ status }: SeenCall) => status !== null && status < 400

/** The spans between neighbours of these moments that end within the recording's time. */
function gaps(moments: readonly number[], { faultMs, endMs }: Recording): Span[] {
  const sorted = [...moments, endMs].sort((one, other) => one - other)
  return sorted
    .map((toMs, index) => ({ fromMs: sorted[index - 1] ?? faultMs, toMs }))
    .filter(({ toMs }) => toMs > faultMs && toMs <= endMs)
}

const longest = (spans: readonly Span[]): Span | undefined =>
  spans.toSorted((one, other) => other.toMs - other.fromMs - (one.toMs - one.fromMs))[0]

/** Below this a pause between two looks is the watch's own, not the database's. */
const ownPauseMs = 1_500

const seconds = (ms: number) => Math.round(Math.max(0, ms) / 100) / 10
const after = (spans: readonly Span[], momentMs: number) =>
  seconds(Math.max(0, ...spans.map(({ fromMs, toMs }) => toMs - Math.max(fromMs, momentMs))))

const shownFailures = 30

/** The first failures as customers saw them: seconds since the fault, what was asked, the status, how long it took. */
export const describeFailures = ({ calls, faultMs }: Recording): string[] =>
  calls
    .filter((call) => isFailure(call) && call.endedMs > faultMs)
    .toSorted((one, other) => one.endedMs - other.endedMs)
    .slice(0, shownFailures)
    .map(
      ({ url, method, path, startedMs, endedMs, status }) =>
        `${seconds(endedMs - faultMs)} s ${url.slice(-4)} ${method} ${path} ${status ?? 'no answer'} (${endedMs - startedMs} ms)`,
    )

/** The figures of one drill, out of what customers and watch saw. */
export function measure(recording: Recording, plainUrl: string): Figures {
  const { sightings, faultMs, restoredMs } = recording
  const calls = recording.calls.filter(({ endedMs }) => endedMs > faultMs)
  const seen = (kind: Sighting['kind']) => sightings.flatMap((one) => (one.kind === kind ? [one.atMs] : []))
  const succeeded = (method: string, fits: boolean) =>
    calls.flatMap((call) => (isSuccess(call) && (call.method === method) === fits ? [call.endedMs] : []))
  const outage = longest(gaps(seen('write'), recording))
  const isOutage = outage !== undefined && outage.toMs - outage.fromMs > ownPauseMs
  const writableMs = Math.max(isOutage ? outage.toMs : faultMs, restoredMs)
  const unreadable = longest(gaps(seen('read'), recording))
  const unreadableMs = unreadable ? Math.max(0, unreadable.toMs - unreadable.fromMs - ownPauseMs) : 0
  const took = ({ startedMs, endedMs }: SeenCall) => endedMs - startedMs
  const failedAt = (isPlain: boolean) =>
    calls.filter((call) => isFailure(call) && (call.url === plainUrl) === isPlain).length
  const withoutReads = longest(gaps(succeeded('GET', true), recording))
  return {
    databaseWithoutWritesSeconds: isOutage ? seconds(outage.toMs - outage.fromMs) : 0,
    firstSuccessSeconds: after(gaps(succeeded('GET', false), recording), writableMs),
    jobsSeconds: after(gaps(seen('job'), recording), writableMs),
    withoutReadsSeconds: seconds((withoutReads ? withoutReads.toMs - withoutReads.fromMs : 0) - unreadableMs),
    slowestWriteSeconds: seconds(
      Math.max(0, ...calls.flatMap((call) => (call.method === 'GET' ? [] : [took(call)]))),
    ),
    requests: calls.length,
    failedRetrying: failedAt(false),
    failedPlain: failedAt(true),
  }
}
