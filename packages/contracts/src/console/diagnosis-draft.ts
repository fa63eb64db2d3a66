import { z } from 'zod'
import {
  boundsOfNumber,
  type DiagnosisDraftContent,
  type DraftProgram,
  programNumbers,
  waveforms,
} from './diagnosis.ts'
import { defaultProgramBounds, namesContraindications, type ProgramBounds } from './program-bounds.ts'
import { bodyPartRefusal } from './refused-body-parts.ts'

export const DiagnosisFault = z.object({
  /** Where, as `programs.0.intensity_max`. */
  path: z.string(),
  code: z.enum([
    'required',
    'not_a_code',
    'taken',
    'unknown_body_part',
    'unknown_waveform',
    'out_of_bounds',
    'min_above_max',
    'default_outside',
    'default_above_share',
    'too_long_a_pulse',
    'monophasic_bounds',
    'contraindications_missing',
    'body_part_refused',
  ]),
})
export type DiagnosisFault = z.infer<typeof DiagnosisFault>

const isCode = (text: string) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)

function faultsOfNames(items: readonly { code: string; name: string }[], list: string): DiagnosisFault[] {
  return items.flatMap(({ code, name }, place) => {
    const taken = items.findIndex((other) => other.code === code) < place
    const codeFault = isCode(code) ? (taken ? 'taken' : null) : 'not_a_code'
    return [
      ...(codeFault ? [{ path: `${list}.${place}.code`, code: codeFault } as const] : []),
      ...(name.trim() === '' ? [{ path: `${list}.${place}.name`, code: 'required' } as const] : []),
    ]
  })
}

type Judged = { program: DraftProgram; at: string; bounds: ProgramBounds }

function faultsOfNumbers({ program, at, bounds }: Judged): DiagnosisFault[] {
  const single = programNumbers.flatMap((key): DiagnosisFault[] => {
    const value = program[key]
    if (value === null) return [{ path: `${at}.${key}`, code: 'required' }]
    const { min, max } = boundsOfNumber(key, bounds)
    return value < min || value > max ? [{ path: `${at}.${key}`, code: 'out_of_bounds' }] : []
  })
  const { intensity_min: min, intensity_max: max, intensity_default: usual } = program
  if (single.length > 0 || min === null || max === null || usual === null) return single
  if (min >= max) return [{ path: `${at}.intensity_min`, code: 'min_above_max' }]
  if (usual <= min || usual >= max) return [{ path: `${at}.intensity_default`, code: 'default_outside' }]
  return usual * 100 > max * bounds.default_percent_of_max
    ? [{ path: `${at}.intensity_default`, code: 'default_above_share' }]
    : []
}

/** Bounds that hold across parameters. */
function faultsTogether({ program, at, bounds }: Judged): DiagnosisFault[] {
  const { frequency_hz: frequency, pulse_width_us: width, waveform, contraindications } = program
  const { monophasic, frequency_times_pulse_width: most } = bounds
  const known = frequency !== null && width !== null
  const long = known && frequency * width > most
  const tooMuch = waveform === 'monophasic' && known
  return [
    ...(long ? [{ path: `${at}.pulse_width_us`, code: 'too_long_a_pulse' } as const] : []),
    ...(tooMuch && frequency > monophasic.frequency_hz
      ? [{ path: `${at}.frequency_hz`, code: 'monophasic_bounds' } as const]
      : []),
    ...(tooMuch && width > monophasic.pulse_width_us
      ? [{ path: `${at}.pulse_width_us`, code: 'monophasic_bounds' } as const]
      : []),
    ...(namesContraindications(contraindications, bounds)
      ? []
      : [{ path: `${at}.contraindications`, code: 'contraindications_missing' } as const]),
  ]
}

/** Everything that keeps a draft from being published; an empty list lets it be. */
export function validateDiagnosis(
  { body_parts, programs }: DiagnosisDraftContent,
  bounds: ProgramBounds = defaultProgramBounds,
): DiagnosisFault[] {
  const isRefused = bodyPartRefusal(bounds)
  return [
    ...faultsOfNames(body_parts, 'body_parts'),
    ...body_parts.flatMap((part, place): DiagnosisFault[] =>
      isRefused(part) ? [{ path: `body_parts.${place}.code`, code: 'body_part_refused' }] : [],
    ),
    ...faultsOfNames(programs, 'programs'),
    ...programs.flatMap((program, place): DiagnosisFault[] => {
      const at = `programs.${place}`
      const known = body_parts.some(({ code }) => code === program.body_part)
      const wave = waveforms.some((waveform) => waveform === program.waveform)
      return [
        ...(known ? [] : [{ path: `${at}.body_part`, code: 'unknown_body_part' } as const]),
        ...(wave ? [] : [{ path: `${at}.waveform`, code: 'unknown_waveform' } as const]),
        ...faultsOfNumbers({ program, at, bounds }),
        ...faultsTogether({ program, at, bounds }),
      ]
    }),
  ]
}

export const DiagnosisChange = z.object({
  what: z.enum(['body_part', 'program']),
  code: z.string(),
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  fields: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
})
export type DiagnosisChange = z.infer<typeof DiagnosisChange>

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

function fieldsOf(before: object, after: object): DiagnosisChange['fields'] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: shown(was.get(name)), after: shown(is.get(name)) }))
    .filter((field) => field.before !== field.after)
}

type What = DiagnosisChange['what']

function changesOf<Item extends { code: string }>(
  what: What,
  before: readonly Item[],
  after: readonly Item[],
): DiagnosisChange[] {
  const [was, is] = [
    new Map(before.map((one) => [one.code, one])),
    new Map(after.map((one) => [one.code, one])),
  ]
  const order = (items: readonly Item[], others: ReadonlyMap<string, Item>) =>
    items.map(({ code }) => code).filter((code) => others.has(code))
  const [oldOrder, newOrder] = [order(before, is), order(after, was)]
  return [
    ...before
      .filter(({ code }) => !is.has(code))
      .map(({ code }) => ({ what, code, kind: 'removed' as const, fields: [] })),
    ...after.flatMap((item): DiagnosisChange[] => {
      const { code } = item
      const previous = was.get(code)
      if (!previous) return [{ what, code, kind: 'added', fields: fieldsOf({}, item) }]
      const fields = fieldsOf(previous, item)
      if (fields.length > 0) return [{ what, code, kind: 'changed', fields }]
      return oldOrder.indexOf(code) === newOrder.indexOf(code)
        ? []
        : [{ what, code, kind: 'moved', fields: [] }]
    }),
  ]
}

/** What a draft would change, one entry per body part or program. */
export const diffDiagnosis = (
  before: DiagnosisDraftContent,
  after: DiagnosisDraftContent,
): DiagnosisChange[] => [
  ...changesOf('body_part', before.body_parts, after.body_parts),
  ...changesOf('program', before.programs, after.programs),
]
